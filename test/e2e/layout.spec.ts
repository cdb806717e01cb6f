import type { Locator } from 'playwright/test';
import { recordShifts } from './record-shifts.ts';
import { addFormPage, expect, findCardFrame, findForm, findSubmitButton, test } from './world.ts';

/** Reserves the form's height, as docs/install/html.md recommends. */
const RESERVED_HEIGHT = '<style>donation-form { display: block; min-height: 2000px }</style>';

for (const width of [360, 1_280]) {
  test(`nothing shifts while the form loads, ${width} px wide`, async ({ page, world }) => {
    await page.setViewportSize({ width, height: 800 });
    const readShifts = await recordShifts(page);
    await page.goto(`${world.page}/#give`);
    await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
    await page.waitForTimeout(500);
    expect(await readShifts()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  });
}

test('nothing shifts on a slow network with the payment section in view', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 1_700 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  });
  const readShifts = await recordShifts(page);
  await page.goto(addFormPage(world, {}, RESERVED_HEIGHT));
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible({ timeout: 30_000 });
  await page.waitForTimeout(2_000);
  await expect(findSubmitButton(page)).toBeInViewport({ ratio: 1 });
  expect(await readShifts()).toEqual([]);
});

test('the form is at most 1,300 px high on a phone, without the wallets', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(addFormPage(world, {}));
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible({ timeout: 30_000 });
  const wallets = findForm(page).locator('.wallets');
  await expect(wallets).toHaveClass(/available/);
  const readTop = async (selector: string): Promise<number> =>
    (await findForm(page).locator(selector).boundingBox())!.y;
  const walletsHeight = (await readTop('[part=donor]')) - (await readTop('.wallets'));
  const height = (await findForm(page).boundingBox())!.height;
  expect(height - walletsHeight).toBeLessThanOrEqual(1_300);
});

test('a monthly donation on a phone takes at most 8 taps beside typing', async ({
  browser,
  world,
}) => {
  const page = await browser.newPage({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  await page.goto(addFormPage(world, {}));
  const card = findCardFrame(page);
  await expect(card.getByLabel('Card number')).toBeVisible();
  let taps = 0;
  const tap = async (target: Locator): Promise<void> => {
    taps += 1;
    await target.tap();
  };
  /** Presses the keyboard's Next. */
  const tapNext = async (): Promise<void> => {
    taps += 1;
    await page.keyboard.press('Enter');
  };
  await tap(page.getByRole('radio', { name: 'Monthly' }));
  await tap(page.getByLabel('First name'));
  await page.keyboard.type('Ana');
  await tapNext();
  await page.keyboard.type('Silva');
  await tapNext();
  await page.keyboard.type('ana@example.org');
  await tap(card.getByLabel('Card number'));
  await page.keyboard.type('4242424242424242');
  await tap(card.getByLabel('Expiration date'));
  await page.keyboard.type('1234');
  await tap(card.getByLabel('Security code'));
  await page.keyboard.type('123');
  await tap(findSubmitButton(page));
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(taps).toBeLessThanOrEqual(8);
  await page.close();
});

for (const [wallets, height] of [
  [['google_pay', 'paypal'], 1_440],
  [[], 1_300],
] as const)
  test(`a form with ${wallets.length} wallets is at most ${height} px high on a phone`, async ({
    page,
    world,
  }) => {
    // Unavailable buttons lose their space only below the viewport.
    await page.setViewportSize({ width: 390, height: 300 });
    await page.addInitScript((types) => {
      window.stripeWallets = types;
    }, wallets);
    await page.goto(world.page);
    await expect(findForm(page).locator('.bone')).toHaveCount(0);
    await expect(findForm(page).locator('.wallets.available')).toHaveCount(wallets.length && 1);
    await expect(findForm(page).getByRole('radio', { name: 'PayPal' })).toHaveCount(
      wallets.length > 0 ? 0 : 1,
    );
    await expect
      .poll(() =>
        findForm(page).evaluate((form) => Math.round(form.getBoundingClientRect().height)),
      )
      .toBeLessThanOrEqual(height);
  });

test(
  'a payment method stays in place when it is chosen',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(world.page);
    await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
    for (const name of [
      'Bank account',
      'Bank transfer or check',
      'Card',
      'Bank transfer or check',
    ]) {
      const row = findForm(page).getByRole('radio', { name });
      await row.scrollIntoViewIfNeeded();
      const getTop = () =>
        row.evaluate((control) => Math.round(control.getBoundingClientRect().top));
      const top = await getTop();
      await row.click();
      await expect(row).toBeChecked();
      await expect.poll(getTop, name).toBe(top);
    }
  },
);
