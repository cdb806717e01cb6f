import type { Locator, Page } from 'playwright/test';
import type {} from '../../src/sandbox/stripe/browser/stripe.ts';
import type { FakeStripe } from '../fake-stripe.ts';
import { recordShifts } from './record-shifts.ts';
import { findThankYou, test } from './stripe-world.ts';
import { addFormPage, expect, findForm, findSubmitButton } from './world.ts';

const FORM_WITH_LOWER_WALLET_FEE = {
  currencies: [
    {
      code: 'USD',
      minimum: '5',
      maximum: '25000',
      giftArray: [{ value: '25' }, { value: '50', isDefault: true }, { value: '75' }],
      feeCover: {
        percent: '2.9',
        fixed: '0.30',
        methods: { wallet: { percent: '1', fixed: '0' } },
      },
    },
  ],
};

test.use({ methods: ['card', 'link', 'paypal'], form: FORM_WITH_LOWER_WALLET_FEE });

const findButton = (page: Page, name: string): Locator =>
  page.frameLocator('[slot=wallets] iframe').getByRole('button', { name });
const findSheet = (page: Page) => page.frameLocator('iframe[title=Wallet]');
const findTotal = (page: Page): Locator => findSheet(page).locator('dd').last();
const approveInSheet = (page: Page): Promise<void> =>
  findSheet(page).getByRole('button', { name: 'Pay' }).click();
const listCharges = (stripe: FakeStripe) =>
  stripe.listPaymentIntents().filter(({ status }) => status === 'succeeded');
const setWallets = (page: Page, wallets: readonly string[]) =>
  page.addInitScript((types) => {
    window.stripeWallets = types as NonNullable<typeof window.stripeWallets>;
  }, wallets);

test('at most three interactions lead from the opened form to the wallet, which shows the terms of a monthly donation', async ({
  page,
  world,
  stripe,
}) => {
  await setWallets(page, ['apple_pay']);
  let interactions = 0;
  await page.exposeFunction('countInteraction', () => {
    interactions += 1;
  });
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(
        type,
        () => (window as unknown as { countInteraction: () => void }).countInteraction(),
        { capture: true },
      );
  });
  await page.goto(addFormPage(world, {}));
  await page.getByRole('radio', { name: 'Monthly' }).click();
  await page.getByRole('radio', { name: '$75' }).click();
  await findButton(page, 'Apple Pay').click();
  await expect(findTotal(page)).toHaveText('$75.00');
  await expect(findSheet(page).locator('#interval')).toHaveText('$75.00 every 1 month');
  expect(interactions).toBe(3);
  await approveInSheet(page);
  await expect(findThankYou(page)).toBeVisible();
  expect(listCharges(stripe).map(({ amount_received }) => amount_received)).toEqual([7_500]);
});

test('a closed wallet leaves the form as it was, with the focus on the buttons, and it opens again', async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(addFormPage(world, {}));
  await page.getByLabel('First name').fill('Ana');
  await findButton(page, 'Google Pay').click();
  await expect(findSubmitButton(page)).toHaveText('Confirm this donation in your wallet');
  await findSheet(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await expect(findForm(page).locator('#notice')).toHaveCount(0);
  await expect(findButton(page, 'Google Pay')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(findTotal(page)).toHaveText('$50.00');
  await page.keyboard.press('Enter');
  await expect(findThankYou(page)).toBeVisible();
  expect(listCharges(stripe)).toHaveLength(1);
});

test.describe('with an address', () => {
  const required = ['firstName', 'lastName', 'email', 'phone', 'country', 'address1', 'city'];
  test.use({
    form: {
      ...FORM_WITH_LOWER_WALLET_FEE,
      donorFields: {
        ...Object.fromEntries(required.map((name) => [name, 'required'])),
        state: 'required',
        postal: 'required',
      },
    },
  });

  test('the address that the donor chooses in the wallet is the one of the donation', async ({
    page,
    world,
    stripe,
  }) => {
    const requests: { donor: Record<string, string> }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/donations'))
        requests.push(request.postDataJSON() as (typeof requests)[0]);
    });
    for (const [country, expected] of [
      ['US', { country: 'US', state: 'IL', postal: '62701', city: 'Springfield' }],
      ['DE', { country: 'DE', postal: '10115', city: 'Berlin' }],
    ] as const) {
      await page.goto(addFormPage(world, {}));
      await findButton(page, 'Google Pay').click();
      await findSheet(page).getByLabel('Address').selectOption(country);
      await expect(findTotal(page)).toHaveText('$50.00');
      await approveInSheet(page);
      await expect(findThankYou(page)).toBeVisible();
      expect(requests.at(-1)!.donor).toMatchObject({ ...expected, phone: '+1 888 555 0100' });
    }
    expect(Object.keys(requests.at(-1)!.donor)).not.toContain('state');
    expect(listCharges(stripe)).toHaveLength(2);
  });
});

for (const [description, wallets, faults, width, height] of [
  ['available', ['google_pay', 'link'], {}, 390, 700],
  ['rejected', ['google_pay'], { walletsReady: 'reject' }, 1_280, 700],
] as const)
  test(`nothing shifts with wallets in view that are ${description}, ${width} px wide`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height });
    const readShifts = await recordShifts(page);
    await setWallets(page, wallets);
    await page.addInitScript((faults) => {
      window.stripeFaults = faults;
    }, faults);
    await page.goto(
      addFormPage(
        world,
        { 'cover-costs': '' },
        '<style>donation-form { display: block; min-height: 2000px }</style>',
      ),
    );
    const section = findForm(page).locator('.wallets');
    await expect(section).toHaveClass(description === 'available' ? /available/ : /unavailable/);
    await expect(section).toBeInViewport({ ratio: 1 });
    await page.waitForTimeout(500);
    expect(await readShifts()).toEqual([]);
    // The donor scrolls up: the space disappears below the viewport.
    if (description === 'available') return;
    await page.setViewportSize({ width, height: 400 });
    await expect(section).toHaveCount(0);
    await expect.poll(() => readShifts()).toEqual([]);
  });
