import { readFile } from 'node:fs/promises';
import jsqr from 'jsqr';
import { expect, type FrameLocator, type Page } from 'playwright/test';
import { findViolations } from './find-violations.ts';
import { fillCard, test as base, World } from './world.ts';

/** The package exports the function directly, unlike its types claim. */
const decode = jsqr as unknown as typeof jsqr.default;
const ORIGIN = 'https://lanternwell.example';
const PAGE = `${ORIGIN}/give`;

/** The configuration allows the page of the links. */
const test = base.extend<{ world: World }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open(undefined, { origins: [ORIGIN] });
    await use(world);
  },
});
const findPreview = (page: Page): FrameLocator => page.frameLocator('campaign-links iframe');
const findPreviewButton = (page: Page) =>
  findPreview(page).locator('donation-form button[type=submit]');
const findLinkField = (page: Page) => page.getByRole('textbox', { name: 'Your link' });

async function openPage(page: Page, world: World): Promise<void> {
  await page.goto(`${world.endpoint}/links`);
  await expect(findPreviewButton(page)).toHaveText('Give $50');
}

/** Renders the QR code to pixels and decodes it. */
async function scanQrCode(page: Page): Promise<string | undefined> {
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
        ...getPixelRange(
          Number(x) * scale + (dot % scale),
          Number(y) * scale + Math.floor(dot / scale),
          side,
        ),
      );
  }
  return decode(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data;
}

/** Returns the start and end of a pixel's red, green, and blue values. */
function getPixelRange(x: number, y: number, side: number): [number, number] {
  const start = (y * side + x) * 4;
  return [start, start + 3];
}

async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // The payment field loads when it comes near the viewport.
  await findPreviewButton(page).scrollIntoViewIfNeeded();
  await expect(
    findPreview(page).frameLocator('[slot=payment] iframe').getByLabel('Card number'),
  ).toBeVisible();
  return findViolations(page);
}

test('builds a link with a preview and a QR code, which can be saved', async ({ page, world }) => {
  await test.step('builds a link from the fields, with a preview and a QR code', async () => {
    await openPage(page, world);
    await expect(page).toHaveTitle('Campaign links · Lanternwell');
    const before = await page.evaluate(() => history.length);
    await page.getByLabel('Page URL').fill(`${PAGE}?lang=en#form`);
    await page.getByLabel('Amount', { exact: true }).fill('75');
    await page.getByLabel('Frequency').selectOption('Monthly');
    await page.getByLabel('Project').selectOption('Village wells');
    await page.getByLabel('Segment').fill('MAIL 26');
    await page.getByLabel('Source').fill('newsletter');
    await expect(findLinkField(page)).toHaveValue(
      `${PAGE}?lang=en&amount=75&frequency=monthly&segmentcode=MAIL%2026&projectcodepreselect=WATER&utm_source=newsletter#form`,
    );
    await expect(findPreviewButton(page)).toHaveText('Give $75 a month');
    await expect(findPreview(page).getByLabel('Your donation supports')).toHaveValue('2');
    await expect(
      page.getByText(
        'The link selects amount $75 · monthly · project Village wells · segment MAIL 26.',
      ),
    ).toBeVisible();
    await expect(page.getByText('No problems in this link')).toBeVisible();
    expect(await scanQrCode(page)).toBe(await findLinkField(page).inputValue());

    await page.getByLabel('Fixed: the donor cannot change it').check();
    await expect(findLinkField(page)).toHaveValue(/&projectcode=WATER&utm_source/);
    await expect(findPreview(page).getByText('Your donation supports Village wells')).toBeVisible();
    expect(await page.evaluate(() => history.length)).toBe(before);
  });

  await test.step('saves the QR code as a file', async () => {
    await page.getByLabel('Page URL').fill(PAGE);
    await page.getByLabel('Segment').fill('MAIL26/a');
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download SVG' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('qr-code-MAIL26_a.svg');
    const path = (await page.locator('campaign-links .modules').getAttribute('d')) ?? '';
    expect(await readFile(await download.path(), 'utf8')).toContain(`<path d="${path}"/>`);
  });

  await test.step('shows a link that is too long for a QR code, with an explanation', async () => {
    await page.getByLabel('Page URL').fill(`${PAGE}?${'story='.padEnd(1_900, 'x')}`);
    await page.getByLabel('Campaign').fill('y'.repeat(1_900));
    await expect(page.getByText('This link is too long for a QR code.')).toBeVisible();
    await expect(page.getByRole('img', { name: 'QR code of your link' })).toHaveCount(0);
  });
});

test('explains the problems of a link', async ({ page, world }) => {
  await test.step('explains that a site may not show the form yet, and how to change that', async () => {
    await openPage(page, world);
    await page.getByLabel('Page URL').fill('https://www.lanternwell.example/give');
    await expect(page.getByText('1 problem in this link')).toBeVisible();
    const explanation =
      'The form does not appear on https://www.lanternwell.example yet. Ask the administrator of the ' +
      'donation server to add exactly https://www.lanternwell.example to “origins” in the ' +
      'configuration. An origin with www. differs from one without www. If this is a shortened link, ' +
      'check the long link instead.';
    await expect(page.getByText(explanation)).toBeVisible();
    await page.getByLabel('Page URL').fill(PAGE);
    await expect(page.getByText('No problems in this link')).toBeVisible();
    await page
      .getByLabel('Links', { exact: true })
      .fill(`${PAGE}\nhttps://www.lanternwell.example/give?amount=75`);
    await expect(page.getByText('2 links, 1 with problems')).toBeVisible();
    await expect(page.getByText(explanation)).toHaveCount(1);
  });

  await test.step('shows errors for a missing or invalid URL and for ignored values next to their fields', async () => {
    const pageUrl = page.getByLabel('Page URL');
    await pageUrl.fill('lanternwell.example');
    await pageUrl.blur();
    await pageUrl.fill('');
    await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(0);
    const amount = page.getByLabel('Amount', { exact: true });
    await expect(pageUrl).toHaveAccessibleDescription(
      /Enter the URL of the page with your donation form\.$/,
    );
    for (const [input, problem] of [
      ['lanternwell.example', /Enter a URL that starts with https:\/\//],
      ['https://', /Enter a valid URL/],
      ['http://lanternwell.example', /only on encrypted pages/],
    ] as const) {
      await pageUrl.fill(input);
      await expect(pageUrl).toHaveAccessibleDescription(problem);
      await expect(findLinkField(page)).toHaveCount(0);
    }
    await pageUrl.fill(`${PAGE}?ammount=5`);
    await expect(pageUrl).not.toHaveAttribute('aria-invalid');
    await amount.fill('1,000');
    await expect(amount).toHaveAccessibleDescription(
      /The form ignores this value: the value is invalid; enter digits with at most one decimal point/,
    );
    await page.getByLabel('Suggested amounts').fill('25, 1e3');
    await expect(page.getByLabel('Suggested amounts')).toHaveAccessibleDescription(
      /The form ignores entry 2/,
    );
    await page.getByLabel('Suggested amounts').fill('');
    await amount.fill('1');
    await expect(amount).toHaveAccessibleDescription(
      /The form ignores this value: .* maximum; enter an amount from \$5 to \$25,000\./,
    );
    await expect(page.getByText('2 problems in this link')).toBeVisible();
    await expect(
      page.getByText('ammount is not a parameter of this form. Did you mean amount?'),
    ).toBeVisible();
  });

  await test.step('keeps merge tags and warns about personal data', async () => {
    await page.getByLabel('Amount', { exact: true }).fill('');
    await expect(page.getByLabel('First name')).toBeHidden();
    await page.getByText('Donor details').click();
    await page.getByLabel('Page URL').fill(PAGE);
    await page.getByLabel('First name').fill('*|FNAME|*');
    await page.getByLabel('Last name').fill('{{ last_name }}');
    await page.getByLabel('Email').fill('ana@example.org');
    await expect(findLinkField(page)).toHaveValue(
      `${PAGE}?firstname=*|FNAME|*&lastname={{ last_name }}&email=ana%40example.org`,
    );
    await expect(
      page.getByText('email: mail servers and analytics can read this personal data'),
    ).toBeVisible();
    await expect(page.getByText('Merge tags do not work on paper')).toBeVisible();
    await expect(findPreview(page).getByLabel('Email')).toHaveValue('ana@example.org');
    await expect(findPreview(page).getByLabel('First name')).toHaveValue('');
    await page.getByLabel('Page URL').fill(`${PAGE}?language=de`);
    await expect(page.getByText('language: forms do not read the language')).toBeVisible();
  });
});

test('copies the link', async ({ page, world, context }) => {
  await test.step('copies the link with the keyboard alone and confirms it', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: world.endpoint,
    });
    await openPage(page, world);
    const forms = await page.getByRole('navigation').getByRole('link').count();
    for (let presses = 0; presses <= forms; presses += 1) await page.keyboard.press('Tab');
    await expect(page.getByLabel('Page URL')).toBeFocused();
    await page.keyboard.insertText(PAGE);
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
    await expect(page.getByRole('status').filter({ hasText: /^Copied$/ })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${PAGE}?amount=40.50`);
  });

  await test.step('offers the known sites, opens the link, and shows it on a phone while it is built', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: world.endpoint,
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, world);
    const url = page.getByLabel('Page URL');
    const suggestions = page.locator('datalist option');
    expect(
      await suggestions.evaluateAll((options) =>
        options.map((option) => option.getAttribute('value')),
      ),
    ).toContain(`${ORIGIN}/`);
    await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(0);
    await url.fill(PAGE);
    await page.getByLabel('Amount', { exact: true }).fill('75');
    const bar = page.locator('.bottom-bar');
    await expect(bar).toBeInViewport({ ratio: 1 });
    await expect(bar).toContainText(`${PAGE}?amount=75`);
    await bar.getByRole('button', { name: 'Copy link' }).click();
    await expect(bar).toContainText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${PAGE}?amount=75`);
    await expect(page.getByRole('link', { name: 'Open link' })).toHaveAttribute(
      'href',
      `${PAGE}?amount=75`,
    );
  });
});

test('selects the link if the browser cannot copy it', async ({ page, world }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('', 'NotAllowedError');
    };
  });
  await openPage(page, world);
  await page.getByLabel('Page URL').fill(PAGE);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: 'The link is selected. Press Ctrl+C or ⌘C to copy it.' }),
  ).toBeVisible();
  expect(
    await findLinkField(page).evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    ),
  ).toBe(PAGE);
});

test('the preview makes no donation and reports nothing', async ({ page, world }) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await openPage(page, world);
  await page.getByLabel('Amount', { exact: true }).fill('60');
  await page.getByLabel('Suggested amounts').fill('1, 60');
  await expect(findPreviewButton(page)).toHaveText('Give $60');
  await findPreview(page).getByLabel('First name').fill('Ana');
  await findPreview(page).getByLabel('Last name').fill('Souza');
  await findPreview(page).getByLabel('Email').fill('ana@example.org');
  const frame = page.frame({ url: /\/links\/preview\/main/ })!;
  await fillCard(frame);
  await findPreviewButton(page).click();
  await expect(findPreview(page).getByRole('status').filter({ hasText: 'preview' })).toHaveText(
    'This is only a preview. No donation was made.',
  );
  await expect(findPreviewButton(page)).toHaveText('Give $60');
  expect(posts).toEqual([]);
  expect(await world.listActivities()).toEqual([]);
});

test('checks many links, pasted or from a file, and lists those with problems first', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  const table =
    `Mailing,Link\nMay,${PAGE}?amt=75&Frequency=monthly\n` +
    `June,${PAGE}?amt=1&fund-code=WATTER&segmetcode=X\nJuly,www.lanternwell.example/give\n` +
    `August,${PAGE}\nSeptember,${PAGE}?src=A\n`;
  const sent: string[] = [];
  const rows = page.locator('campaign-links tbody tr');
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await expect(page.locator('#summary')).toHaveText('5 links, 2 with problems');
  await expect(rows).toHaveCount(5);
  await expect(rows.locator('td:first-child')).toContainText(['3', '4', '2', '5', '6']);
  await expect(rows.nth(0).locator('li')).toHaveText([
    'amt is ignored: the value is below the minimum or above the maximum; enter an amount from $5 to $25,000',
    'fund-code is ignored: this form does not offer this value; it offers GENERAL, WATER, SCHOOL, RIVER',
    'segmetcode is not a parameter of this form. Did you mean segmentcode?',
  ]);
  await expect(rows.nth(1).locator('li')).toHaveText(['Not a URL: links start with https://']);
  await expect(rows.nth(2)).toContainText('amount $75 · monthly');
  expect(sent.join('\n')).not.toContain('WATTER');

  const pasted = page.getByRole('textbox', { name: 'Links' });
  await pasted.fill(`${PAGE}?amt=25`);
  await expect(page.locator('#summary')).toHaveText('1 link, 0 with problems');
  await pasted.fill('nothing here');
  await expect(page.locator('#summary')).toHaveText(
    'No links found. Enter links that start with https://.',
  );
  await pasted.fill('"open');
  await expect(page.locator('#summary')).toContainText('Cannot read this table');
  await pasted.fill('');
  await expect(page.locator('#summary')).toBeEmpty();
});

test('the page passes axe and does not scroll sideways, narrow and dark, wide and light', async ({
  page,
  world,
}) => {
  const expectNoProblems = async (): Promise<void> => {
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  };
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await openPage(page, world);
  await expectNoProblems();
  await page.getByLabel('Page URL').fill(`${PAGE}?fund-code=WATTER`);
  await page.getByLabel('Amount', { exact: true }).fill('1e3');
  await page.getByText('Donor details').click();
  await page.getByLabel('Email').fill('ana@example.org');
  await page.getByLabel('Project').selectOption('Village wells');
  await page
    .getByRole('textbox', { name: 'Links' })
    .fill(`${PAGE}?amt=1&email=ana@example.org\n${PAGE}\nwww.lanternwell.example/give\n`);
  await expect(page.locator('campaign-links tbody tr')).toHaveCount(3);
  await expect(findPreview(page).getByLabel('Email')).toHaveValue('ana@example.org');
  await expectNoProblems();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoProblems();
});

test('shows an error and a retry button if the form does not load', async ({ page, world }) => {
  await page.route('**/form?*', (route) => route.abort());
  await page.goto(`${world.endpoint}/links`);
  await expect(page.getByRole('alert')).toContainText('Cannot load the form.');
  await page.unroute('**/form?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(findPreviewButton(page)).toHaveText('Give $50');
});
