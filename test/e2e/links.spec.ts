import { readFile } from 'node:fs/promises';
import jsqr from 'jsqr';
import { expect, type FrameLocator, type Page } from 'playwright/test';
import { fillCard, test, type World } from './world.ts';

/** The package exports the function itself; its types say otherwise. */
const decode = jsqr as unknown as typeof jsqr.default;
const PAGE = 'https://lanternwell.example/give';
const preview = (page: Page): FrameLocator => page.frameLocator('campaign-links iframe');
const previewButton = (page: Page) => preview(page).locator('donation-form button[type=submit]');
const link = (page: Page) => page.getByRole('textbox', { name: 'Your link' });

async function open(page: Page, world: World): Promise<void> {
  await page.goto(`${world.endpoint}/links`);
  await expect(previewButton(page)).toHaveText('Give $50');
}

/** What a scanner reads: the black squares of the code, on white. */
async function scan(page: Page): Promise<string | undefined> {
  const code = page.getByRole('img', { name: 'QR code of your link' });
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await code.locator('.modules').getAttribute('d')) ?? '';
  const scale = 4;
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dot = 0; dot < scale * scale; dot += 1)
      pixels.fill(
        0,
        ...pixelAt(
          Number(x) * scale + (dot % scale),
          Number(y) * scale + Math.floor(dot / scale),
          side,
        ),
      );
  }
  return decode(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data;
}

/** Where red, green and blue of a pixel begin and end. */
function pixelAt(x: number, y: number, side: number): [number, number] {
  const start = (y * side + x) * 4;
  return [start, start + 3];
}

async function accessibilityProblems(page: Page): Promise<string[]> {
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  await expect(
    preview(page).frameLocator('donation-form iframe').getByLabel('Card number'),
  ).toBeVisible();
  for (const frame of page.frames()) await frame.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  });
}

test('a link is made from the fields, the preview shows it, and its QR code holds it', async ({
  page,
  world,
}) => {
  await open(page, world);
  await expect(page).toHaveTitle('Campaign links · Lanternwell');
  const before = await page.evaluate(() => history.length);
  await page.getByLabel('Page address').fill(`${PAGE}?lang=en#form`);
  await page.getByLabel('Amount', { exact: true }).fill('75');
  await page.getByLabel('How often').selectOption('Monthly');
  await page.getByLabel('Project').selectOption('Village wells');
  await page.getByLabel('Segment').fill('MAIL 26');
  await page.getByLabel('Source').fill('newsletter');
  await expect(link(page)).toHaveValue(
    `${PAGE}?lang=en&amount=75&frequency=monthly&segmentcode=MAIL%2026&projectcodepreselect=WATER&utm_source=newsletter#form`,
  );
  await expect(previewButton(page)).toHaveText('Give $75 every month');
  await expect(preview(page).getByLabel('Your gift is for')).toHaveValue('2');
  await expect(
    page.getByText(
      'The form opens with amount $75 · monthly · project Village wells · segment MAIL 26.',
    ),
  ).toBeVisible();
  await expect(page.getByText('Everything in this link counts')).toBeVisible();
  expect(await scan(page)).toBe(await link(page).inputValue());

  await page.getByLabel('Fixed: the gift is for this project').check();
  await expect(link(page)).toHaveValue(/&projectcode=WATER&utm_source/);
  await expect(preview(page).getByText('Your gift is for Village wells')).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test('the code is saved as a file that holds the same squares', async ({ page, world }) => {
  await open(page, world);
  await page.getByLabel('Page address').fill(PAGE);
  await page.getByLabel('Segment').fill('MAIL26/a');
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as SVG' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('qr-code-MAIL26_a.svg');
  const path = (await page.locator('campaign-links .modules').getAttribute('d')) ?? '';
  expect(await readFile(await download.path(), 'utf8')).toContain(`<path d="${path}"/>`);
});

test('a link that no QR code can hold is still a link, and that is said', async ({
  page,
  world,
}) => {
  await open(page, world);
  await page.getByLabel('Page address').fill(`${PAGE}?${'story='.padEnd(1_900, 'x')}`);
  await page.getByLabel('Campaign').fill('y'.repeat(1_900));
  await expect(page.getByText('This link is too long for a QR code.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of your link' })).toHaveCount(0);
});

test('Copy copies the link and says so, by keyboard alone', async ({ page, world, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.endpoint });
  await open(page, world);
  const forms = await page.getByRole('navigation').getByRole('link').count();
  for (let presses = 0; presses <= forms; presses += 1) await page.keyboard.press('Tab');
  await expect(page.getByLabel('Page address')).toBeFocused();
  await page.keyboard.type(PAGE);
  await page.keyboard.press('Tab');
  await page.keyboard.type('40.50');
  const copy = page.getByRole('button', { name: 'Copy link' });
  for (
    let steps = 0;
    steps < 20 && !(await copy.evaluate((button) => button.matches(':focus')));
    steps += 1
  )
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied', { exact: true })).toHaveRole('status');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${PAGE}?amount=40.50`);
});

test('where the browser does not copy, the link is selected', async ({ page, world }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('', 'NotAllowedError');
    };
  });
  await open(page, world);
  await page.getByLabel('Page address').fill(PAGE);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('The link is selected: copy it with Ctrl+C, or ⌘C.')).toBeVisible();
  expect(
    await link(page).evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    ),
  ).toBe(PAGE);
});

test('an address that is missing or wrong is named at its field, and so is a value that does not count', async ({
  page,
  world,
}) => {
  await open(page, world);
  const address = page.getByLabel('Page address');
  const amount = page.getByLabel('Amount', { exact: true });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription(
    /Write the address of the page with your donation form\.$/,
  );
  for (const [written, problem] of [
    ['lanternwell.example', /Begin with https:\/\//],
    ['https://', /This is no web address/],
    ['http://lanternwell.example', /only on encrypted pages/],
  ] as const) {
    await address.fill(written);
    await expect(address).toHaveAccessibleDescription(problem);
    await expect(link(page)).toHaveCount(0);
  }
  await address.fill(`${PAGE}?ammount=5`);
  await expect(address).not.toHaveAttribute('aria-invalid');
  await amount.fill('1,000');
  await expect(amount).toHaveAccessibleDescription(
    /This does not count: write it with digits and one dot at most/,
  );
  await page.getByLabel('Suggested amounts').fill('25, 1e3');
  await expect(page.getByLabel('Suggested amounts')).toHaveAccessibleDescription(
    /Entry 2 does not count/,
  );
  await page.getByLabel('Suggested amounts').fill('');
  await amount.fill('1');
  await expect(amount).toHaveAccessibleDescription(
    /This does not count: this form takes \$5 to \$25,000\./,
  );
  await expect(page.getByText('2 things in this link do not count')).toBeVisible();
  await expect(
    page.getByText('ammount is a name that no form knows. Did you mean amount?'),
  ).toBeVisible();
});

test('merge tags stay as they are, and personal data is warned of', async ({ page, world }) => {
  await open(page, world);
  await expect(page.getByLabel('First name')).toBeHidden();
  await page.getByText('The donor’s own details').click();
  await page.getByLabel('Page address').fill(PAGE);
  await page.getByLabel('First name').fill('*|FNAME|*');
  await page.getByLabel('Last name').fill('{{ last_name }}');
  await page.getByLabel('E-mail').fill('ana@example.org');
  await expect(link(page)).toHaveValue(
    `${PAGE}?firstname=*|FNAME|*&lastname={{ last_name }}&email=ana%40example.org`,
  );
  await expect(page.getByText('email: personal data')).toBeVisible();
  await expect(page.getByText('paper cannot fill them in')).toBeVisible();
  await expect(preview(page).getByLabel('E-mail')).toHaveValue('ana@example.org');
  await expect(preview(page).getByLabel('First name')).toHaveValue('');
});

test('nothing is given or counted from the preview', async ({ page, world }) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await open(page, world);
  await page.getByLabel('Amount', { exact: true }).fill('60');
  await page.getByLabel('Suggested amounts').fill('1, 60');
  await expect(previewButton(page)).toHaveText('Give $60');
  await preview(page).getByLabel('First name').fill('Ana');
  await preview(page).getByLabel('Last name').fill('Souza');
  await preview(page).getByLabel('E-mail').fill('ana@example.org');
  const frame = page.frame({ url: /\/links\/preview\/main/ })!;
  await fillCard(frame);
  await previewButton(page).click();
  await expect(preview(page).getByRole('status').filter({ hasText: 'preview' })).toHaveText(
    'This is only a preview: your gift was not sent.',
  );
  await expect(previewButton(page)).toHaveText('Give $60');
  expect(posts).toEqual([]);
  expect(await world.activities()).toEqual([]);
});

test('many links are checked at once, pasted or from a file, and those with a problem stand first', async ({
  page,
  world,
}) => {
  await open(page, world);
  const table = `Mailing,Link\nMay,${PAGE}?amt=75&Frequency=monthly\nJune,${PAGE}?amt=1&fund-code=WATTER&segmetcode=X\nJuly,www.lanternwell.example/give\nAugust,${PAGE}\nSeptember,${PAGE}?src=A\n`;
  const sent: string[] = [];
  const rows = page.locator('campaign-links tbody tr');
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await expect(page.locator('#summary')).toHaveText(
    '5 links, 2 with something that does not count',
  );
  await expect(rows).toHaveCount(5);
  await expect(rows.locator('td:first-child')).toContainText(['3', '4', '2', '5', '6']);
  await expect(rows.nth(0).locator('li')).toHaveText([
    'amt: this form takes $5 to $25,000',
    'fund-code: this form offers GENERAL, WATER, SCHOOL, RIVER',
    'segmetcode: did you mean segmentcode?',
  ]);
  await expect(rows.nth(1).locator('li')).toHaveText([
    'No web address: a link begins with https://',
  ]);
  await expect(rows.nth(2)).toContainText('amount $75 · monthly');
  expect(sent.join('\n')).not.toContain('WATTER');

  const pasted = page.getByRole('textbox', { name: 'Links' });
  await pasted.fill(`${PAGE}?amt=25`);
  await expect(page.locator('#summary')).toHaveText('1 link, 0 with something that does not count');
  await pasted.fill('nothing here');
  await expect(page.locator('#summary')).toHaveText(
    'No link was found. A link begins with https://.',
  );
  await pasted.fill('"open');
  await expect(page.locator('#summary')).toContainText('This is no table that can be read');
  await pasted.fill('');
  await expect(page.locator('#summary')).toBeEmpty();
});

for (const [width, colorScheme] of [
  [360, 'dark'],
  [1_280, 'light'],
] as const) {
  test(`the page passes axe and needs no sideways scroll, ${width} px wide, ${colorScheme}`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await open(page, world);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Page address').fill(`${PAGE}?fund-code=WATTER`);
    await page.getByLabel('Amount', { exact: true }).fill('1e3');
    await page.getByText('The donor’s own details').click();
    await page.getByLabel('E-mail').fill('ana@example.org');
    await page.getByLabel('Project').selectOption('Village wells');
    await page
      .getByRole('textbox', { name: 'Links' })
      .fill(`${PAGE}?amt=1&email=ana@example.org\n${PAGE}\nwww.lanternwell.example/give\n`);
    await expect(page.locator('campaign-links tbody tr')).toHaveCount(3);
    await expect(preview(page).getByLabel('E-mail')).toHaveValue('ana@example.org');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  });
}

test('where the form cannot be loaded, that is said and can be tried again', async ({
  page,
  world,
}) => {
  await page.route('**/form?*', (route) => route.abort());
  await page.goto(`${world.endpoint}/links`);
  await expect(page.getByRole('alert')).toContainText('The form could not be loaded.');
  await page.unroute('**/form?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(previewButton(page)).toHaveText('Give $50');
});
