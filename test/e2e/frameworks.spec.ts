import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { installExamples } from '../consumer.ts';
import {
  World,
  expect,
  fillCard,
  fillDonor,
  form,
  giveButton,
  referenceOf,
  test,
} from './world.ts';

interface Example {
  /** How a visitor makes the page take its form away, and show it again. */
  readonly leave: (page: Page) => Promise<unknown>;
  readonly comeBack: (page: Page) => Promise<unknown>;
  readonly config?: InlineConfig;
  /** What its script needs to be allowed beside its own file. */
  readonly scripts?: string;
}

const press =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).click();
const BY_BUTTON = { leave: press('Hide the form'), comeBack: press('Show the form') };

const EXAMPLES: Readonly<Record<string, Example>> = {
  // StrictMode does something in React's development build alone.
  react: { ...BY_BUTTON, config: { define: { 'process.env.NODE_ENV': '"development"' } } },
  vue: {
    leave: (page) => page.getByRole('link', { name: 'Our story' }).click(),
    comeBack: (page) => page.goBack(),
  },
  svelte: BY_BUTTON,
  // Angular's own tools compile ahead; here its compiler runs in the page, and evaluates what it
  // makes.
  angular: {
    ...BY_BUTTON,
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
    const policy = `default-src 'none'; script-src 'self'${scripts}; style-src 'self'; connect-src ${world.endpoint}; frame-src ${world.sandbox}; img-src data:; base-uri 'none'; form-action 'none'`;
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

for (const [name, { leave, comeBack }] of Object.entries(EXAMPLES)) {
  test(`${name}: a link, properties, attributes and events work, and a form that is taken away in the middle of a gift and shown again charges once and says so once`, async ({
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

    await page.goto(`${world.page}/${name}/?FName=Ana`);
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    await expect(giveButton(page)).toHaveText('Give $25 every month');
    await page.getByRole('button', { name: 'Suggest $150' }).click();
    await expect(giveButton(page)).toHaveText('Give $150 every month');
    await expect(page.locator('output')).toHaveText('150 dollars');
    await form(page).evaluate((element) => {
      (element as HTMLElementTagNameMap['donation-form']).language = 'de';
    });
    await expect(page.getByLabel('Vorname')).toHaveValue('Ana');

    await leave(page);
    await expect(form(page)).toHaveCount(0);
    await comeBack(page);
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    expect((await posted).tracking).toEqual({ utmCampaign: `${name}-example` });

    await leave(page);
    await expect(form(page)).toHaveCount(0);
    await comeBack(page);
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    const reference = await referenceOf(page);
    const answered = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/donations'),
    );
    release();
    await (await answered).finished();
    await expect(page.locator('ol li')).toHaveText([reference]);
    expect(await world.charges(reference)).toHaveLength(1);

    await form(page).evaluate((element) => {
      (element as HTMLElementTagNameMap['donation-form']).reset();
    });
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    await expect(page.locator('ol li')).toHaveText([reference, await referenceOf(page)]);
    expect(errors).toEqual([]);
    expect(informed.join('\n').includes('React DevTools'), "it is React's development build").toBe(
      name === 'react',
    );
  });
}
