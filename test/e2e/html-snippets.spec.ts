import { DOCUMENTATION_PAGES, extractCodeBlocks } from '../code-blocks.ts';
import { expect, findForm, findSubmitButton, test } from './world.ts';

const ENDPOINT = 'https://give.example.org';
/** Pages with HTML snippets, in addition to those in docs/install. */
const PAGES_WITH_SNIPPETS = ['README.md', 'docs/reference/settings.md'];

test('every HTML snippet of the documentation works on its own page', async ({ page, world }) => {
  test.setTimeout(180_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    complaints.push(String(error));
  });
  const blocks = DOCUMENTATION_PAGES.filter(
    (file) => file.startsWith('docs/install/') || PAGES_WITH_SNIPPETS.includes(file),
  )
    .flatMap(extractCodeBlocks)
    .filter(({ language }) => language === 'html');
  expect(blocks.length).toBeGreaterThanOrEqual(9);
  for (const { page: from, line, code } of blocks) {
    const name = `${from}:${line}`;
    const path = `/pasted/${from}/${line}`;
    world.pages.set(
      path,
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link ' +
        'rel="icon" href="data:,"><body><div ' +
        `id="give"></div>${code.replaceAll(ENDPOINT, world.endpoint)}`,
    );
    await page.goto(world.page + path);
    if (/<donation-form|data-donation-form/.test(code))
      await expect(findSubmitButton(page), name).toBeVisible();
    if (code.includes('<donation-goal'))
      await expect(page.locator('donation-goal [part=bar]'), name).toBeVisible();
    if (code.includes('<donation-button')) {
      await page.locator('donation-button a').click();
      await expect(findSubmitButton(page), name).toHaveText('Give $50');
    }
    if (code.includes('giftInfo')) {
      await page.evaluate((endpoint) => {
        document.body.insertAdjacentHTML(
          'beforeend',
          `<div data-donation-form data-endpoint="${endpoint}">`,
        );
      }, world.endpoint);
      await page.addScriptTag({ url: `${world.endpoint}/donation-form.js`, type: 'module' });
      await expect(findSubmitButton(page), name).toHaveText('Give $75 a month');
    }
    await expect(findForm(page), name).toHaveCount(
      /donation-(form|button)|giftInfo/.test(code) ? 1 : 0,
    );
    await page.waitForLoadState('load');
    expect(complaints.splice(0), name).toEqual([]);
  }
});
