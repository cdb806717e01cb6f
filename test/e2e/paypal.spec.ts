import type { Page } from 'playwright/test';
import {
  CREDENTIALS,
  type PayPalFixture,
  startPayPal,
} from '../../src/sandbox/test/paypal/support.ts';
import {
  addFormPage,
  expect,
  fillDonor,
  findForm,
  findSubmitButton,
  readReference,
  test as base,
  World,
  type WorldOptions,
} from './world.ts';

const openWorld = (paypal: PayPalFixture, options: WorldOptions = {}): Promise<World> =>
  World.open(
    () => [
      {
        provider: 'paypal',
        environment: 'sandbox',
        clientId: CREDENTIALS.clientId,
        clientSecret: { env: 'PAYPAL_SECRET' },
        webhookId: '1JE4291016473214C',
        apiUrl: paypal.url,
      },
    ],
    { ...options, environment: { PAYPAL_SECRET: CREDENTIALS.clientSecret } },
  );

/** Runs an endpoint with PayPal payments, and an emulation of PayPal with its pages. */
const test = base.extend<{ paypal: PayPalFixture; world: World }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  paypal: async ({}, use) => {
    await using paypal = await startPayPal();
    await use(paypal);
  },
  world: async ({ paypal }, use) => {
    const world = await openWorld(paypal);
    await use(world);
    await world.close();
  },
});

const findThankYou = (page: Page) => page.getByRole('heading', { name: /Thank you/ });
const findNotice = (page: Page) => findForm(page).locator('#notice');

/** Fills in the form and continues to PayPal. */
async function continueToPayPal(page: Page): Promise<void> {
  await fillDonor(page);
  await expect(findForm(page).locator('.hosted')).toHaveText(
    "In the next step, you'll continue to PayPal, then come back to this page.",
  );
  await findSubmitButton(page).click();
  await page.getByRole('button', { name: 'Log in' }).click();
}

const approvePayment = (page: Page) =>
  page.getByRole('button', { name: /Pay now|Continue/ }).click();

test('a donor cancels at PayPal, finds the form unchanged, and pays on the second attempt', async ({
  page,
  world,
  paypal,
}) => {
  await page.goto(addFormPage(world, {}));
  await continueToPayPal(page);
  await page.getByRole('button', { name: /Cancel/ }).click();
  await expect(findNotice(page)).toHaveText(
    "You haven't been charged. You canceled the payment with PayPal. Please try again.",
  );
  await expect(findForm(page).getByLabel('Email')).toHaveValue('ana@example.org');
  expect(new URL(page.url()).search).toBe('');
  await findSubmitButton(page).click();
  await page.getByRole('button', { name: 'Log in' }).click();
  await approvePayment(page);
  await expect(findThankYou(page)).toBeVisible();
  expect(paypal.paypal.listCaptures(await readReference(page)).length).toBe(1);
});

test('a donor who goes back from PayPal can continue there', async ({ page, world }) => {
  await page.goto(addFormPage(world, {}));
  await continueToPayPal(page);
  await page.goBack();
  await page.goBack();
  await findForm(page).getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Log in' }).click();
  await approvePayment(page);
  await expect(findThankYou(page)).toBeVisible();
});

test('a double click with Enter creates one order, and a reload on the way back charges it once', async ({
  page,
  world,
  paypal: { paypal },
}) => {
  await page.goto(addFormPage(world, {}));
  await fillDonor(page);
  await expect(findForm(page).locator('.hosted')).toBeVisible();
  await findSubmitButton(page).focus();
  const { x = 0, y = 0 } = (await findSubmitButton(page).boundingBox()) ?? {};
  await Promise.all([page.keyboard.press('Enter'), page.mouse.dblclick(x + 20, y + 20)]);
  await page.getByRole('button', { name: 'Log in' }).click();
  const held = paypal.holdNextCall();
  await approvePayment(page);
  await held.started;
  await page.reload();
  held.release();
  await expect(findThankYou(page)).toBeVisible({ timeout: 20_000 });
  expect(paypal.listCaptures(await readReference(page)).length).toBe(1);
  expect(paypal.calls.filter((call) => call === 'POST /v2/checkout/orders').length).toBe(1);
});

test('a donor gives monthly with PayPal', async ({ page, world, paypal }) => {
  await page.goto(addFormPage(world, {}));
  await page.getByLabel('Monthly').check();
  await continueToPayPal(page);
  await expect(page.getByRole('heading', { name: /every month/ })).toBeVisible();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expect(findThankYou(page)).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(paypal.paypal.listCaptures(await readReference(page)).length).toBe(1);
});

test('a server that is killed during the charge charges once', async ({ page, paypal }) => {
  await using world = await openWorld(paypal, { spawnsEndpoint: true });
  await page.goto(addFormPage(world, {}));
  await continueToPayPal(page);
  const lookup = paypal.paypal.holdNextCall();
  await approvePayment(page);
  await lookup.started;
  const charge = paypal.paypal.holdNextCall();
  lookup.release();
  await charge.started;
  expect(paypal.paypal.calls.at(-1)).toMatch(/\/capture$/);
  await world.killEndpoint();
  charge.release();
  // The server checks an unfinished charge after 20 seconds.
  world.changeDatabase('UPDATE donations SET next_run_at = 0, locked_until = 0');
  await world.spawnEndpoint();
  await page.reload();
  await expect(findThankYou(page)).toBeVisible();
  expect(paypal.paypal.listCaptures(await readReference(page)).length).toBe(1);
});
