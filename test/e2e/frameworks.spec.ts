import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { installExamples } from '../install-examples.ts';
import {
  expect,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  readReference,
  test,
  World,
} from './world.ts';

interface Example {
  /** Actions of a visitor that remove the form from the page and bring it back. */
  readonly hide: (page: Page) => Promise<unknown>;
  readonly show: (page: Page) => Promise<unknown>;
  readonly config?: InlineConfig;
  /** Additional script sources for the Content-Security-Policy. */
  readonly scripts?: string;
}

const clickButton =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).click();
const TOGGLE_BUTTONS = { hide: clickButton('Hide the form'), show: clickButton('Show the form') };

const EXAMPLES: Readonly<Record<string, Example>> = {
  // StrictMode only has an effect in React's development build.
  react: { ...TOGGLE_BUTTONS, config: { define: { 'process.env.NODE_ENV': '"development"' } } },
  vue: {
    hide: (page) => page.getByRole('link', { name: 'Our story' }).click(),
    show: (page) => page.goBack(),
  },
  svelte: TOGGLE_BUTTONS,
  // Angular's compiler runs in the page here and needs eval; Angular's own tools compile ahead of
  // time.
  angular: {
    ...TOGGLE_BUTTONS,
    scripts: " 'unsafe-eval'",
    config: {
      plugins: [
        {
          name: 'compiler',
          transform: (code, id) =>
            id.endsWith('/angular/main.ts') ? `import '@angular/compiler';\n${code}` : null,
        },
      ],
    },
  },
};

test.describe.configure({ mode: 'default' });
let world: World;

test.beforeAll(async () => {
  const folder = await installExamples(Object.keys(EXAMPLES));
  world = await World.open();
  for (const [name, { config, scripts = '' }] of Object.entries(EXAMPLES)) {
    const { output } = (await build({
      ...config,
      root: join(folder, name),
      base: './',
      logLevel: 'error',
      build: { write: false, minify: false },
    })) as Rolldown.RolldownOutput;
    const policy =
      `default-src 'none'; script-src 'self' ${world.sandbox}${scripts}; style-src 'self'; ` +
      `connect-src ${world.endpoint} ${world.sandbox}; frame-src ${world.sandbox}; img-src data:; base-uri 'none'; ` +
      `form-action 'none'`;
    for (const file of output) {
      const text = (file.type === 'chunk' ? file.code : String(file.source)).replaceAll(
        'https://give.example.org',
        world.endpoint,
      );
      if (file.fileName === 'index.html')
        world.pages.set(
          `/${name}/`,
          text.replace(
            '<head>',
            `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
          ),
        );
      else world.pages.set(`/${name}/${file.fileName}`, text);
    }
  }
  await rm(folder, { recursive: true });
});
test.afterAll(() => world.close());

for (const [name, { hide, show }] of Object.entries(EXAMPLES)) {
  test(`${name}: URL parameters, properties, attributes, and events work, and a form removed mid-donation charges and reports once`, async ({
    page,
  }) => {
    const errors: string[] = [];
    const informed: string[] = [];
    page.on('console', (message) => {
      (['error', 'warning'].includes(message.type()) ? errors : informed).push(message.text());
    });
    let release!: () => void;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const posted = new Promise<{ tracking: object }>(
      (resolve) =>
        void page.route(
          `${world.endpoint}/donations`,
          async (route) => {
            if (route.request().method() !== 'POST') return route.fallback();
            const response = await route.fetch();
            resolve(route.request().postDataJSON() as { tracking: object });
            await released;
            return route.fulfill({ response });
          },
          { times: 1 },
        ),
    );

    const { length: earlierCharges } = await world.listCharges();
    await page.goto(`${world.page}/${name}/?FName=Ana`);
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    await expect(findSubmitButton(page)).toHaveText('Give $25 a month');
    // Before the code for submitting is loaded, the form reports changes with its ready event.
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Suggest $150' }).click();
    await expect(findSubmitButton(page)).toHaveText('Give $150 a month');
    await expect(page.locator('output')).toHaveText('150 dollars');
    await findForm(page).evaluate((element) => {
      (element as HTMLElementTagNameMap['donation-form']).language = 'de';
    });
    await expect(page.getByLabel('Vorname')).toHaveValue('Ana');

    await hide(page);
    await expect(findForm(page)).toHaveCount(0);
    await show(page);
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    await fillDonor(page);
    await fillCard(page);
    await findSubmitButton(page).click();
    expect((await posted).tracking).toEqual({ utmCampaign: `${name}-example` });

    await hide(page);
    await expect(findForm(page)).toHaveCount(0);
    await show(page);
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    const reference = await readReference(page);
    const donationResponse = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/donations'),
    );
    release();
    await (await donationResponse).finished();
    await expect(page.locator('ol li')).toHaveText([reference]);
    expect(await world.listCharges()).toHaveLength(earlierCharges + 1);

    await findForm(page).evaluate((element) => {
      (element as HTMLElementTagNameMap['donation-form']).reset();
    });
    await fillDonor(page);
    await fillCard(page);
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    await expect(page.locator('ol li')).toHaveText([reference, await readReference(page)]);
    expect(errors).toEqual([]);
    expect(informed.join('\n').includes('React DevTools'), "it is React's development build").toBe(
      name === 'react',
    );
  });
}
