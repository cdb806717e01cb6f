import { expect, type Page } from 'playwright/test';
import { fillCard, fillDonor, findForm, findSubmitButton, test, type World } from './world.ts';

/** Adds a page with the script of one form. @returns the page's URL. */
function addEmbeddedPage(world: World, { language = 'en', query = '' } = {}): string {
  const path = `/embedded-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Give</title><body>` +
      `<script type="module" src="${world.endpoint}/embed/main.js${query}"></script>` +
      '<donation-form form-id="main"></donation-form>',
  );
  return world.page + path;
}

/** Collects the paths that the page requests from the endpoint. */
function collectPaths(page: Page, world: World): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(world.endpoint)) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test('a form with its own script appears after one request and charges once', async ({
  page,
  world,
}) => {
  const paths = collectPaths(page, world);
  await page.goto(addEmbeddedPage(world));
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeFocused();
  expect(await world.listCharges()).toHaveLength(1);
  expect(paths).not.toContain('/form');
  expect(paths.filter((path) => path.startsWith('/embed/'))).toEqual(['/embed/main.js']);
});

test(
  'a form with its own script in another language than the page loads the definition in the language of the page',
  { tag: '@chromium' },
  async ({ page, world }) => {
    const paths = collectPaths(page, world);
    await page.goto(addEmbeddedPage(world, { language: 'de' }));
    await expect(findSubmitButton(page)).toHaveText(/spenden/);
    expect(paths).toContain('/form');
    paths.length = 0;
    await page.goto(addEmbeddedPage(world, { language: 'de', query: '?language=de' }));
    await expect(findSubmitButton(page)).toHaveText(/spenden/);
    expect(paths).not.toContain('/form');
  },
);

test(
  'a form with an outdated definition in its script loads the current one before it charges',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.route('**/embed/main.js', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const [, etag] = /etag:"(.*?)"\}/.exec(text) ?? [];
      await route.fulfill({ response, body: text.replace(`etag:"${etag!}"`, 'etag:"\\"old\\""') });
    });
    const paths = collectPaths(page, world);
    await page.goto(addEmbeddedPage(world));
    await fillDonor(page);
    await fillCard(page);
    await findSubmitButton(page).click();
    await expect(findForm(page).getByRole('alert')).toContainText('This form was updated');
    expect(paths).toContain('/form');
    expect(await world.listCharges()).toEqual([]);
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeFocused();
    expect(await world.listCharges()).toHaveLength(1);
  },
);

test("the endpoint's page copies a snippet, or selects it if the browser denies access to the clipboard", async ({
  page,
  world,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = (text) =>
      location.hash === '#denied'
        ? Promise.reject(new Error('denied'))
        : Promise.resolve(void (document.title = text));
  });
  const snippet = `src="${world.endpoint}/embed/main.js"`;
  const button = page.locator('.form-entry').first().getByRole('button');
  await page.goto(world.endpoint);
  await button.click();
  await expect(button).toHaveText('Copied');
  expect(await page.title()).toContain(snippet);
  await page.goto(`${world.endpoint}#denied`);
  await button.click();
  await expect(button).toHaveText('Press Ctrl+C or ⌘C');
  expect(await page.evaluate(() => getSelection()!.toString())).toContain(snippet);
});
