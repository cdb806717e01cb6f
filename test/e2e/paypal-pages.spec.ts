import { createPlan, createSubscription } from '../../src/sandbox/test/paypal/payments-support.ts';
import { getLink, type PayPalFixture, startPayPal } from '../../src/sandbox/test/paypal/support.ts';
import { findViolationsInBothSchemes } from './find-violations.ts';
import { expect, test as base } from './world.ts';

const test = base.extend<{ paypal: PayPalFixture }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  paypal: async ({}, use) => {
    await using paypal = await startPayPal();
    await use(paypal);
  },
});

/** Creates an order, and returns the URL of its page. */
async function createOrder({ call }: PayPalFixture): Promise<string> {
  const created = await call('POST', '/v2/checkout/orders', {
    requestId: 'order',
    body: {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value: '50.00' } }],
      payment_source: { paypal: { experience_context: { brand_name: 'River Trust' } } },
    },
  });
  return getLink(created, 'payer-action')!;
}

test("PayPal's emulated pages pass axe in light and dark, and do not scroll sideways", async ({
  page,
  paypal,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const expectAccessibleAndNarrow = async (): Promise<void> => {
    expect(await findViolationsInBothSchemes(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  };
  const order = await createOrder(paypal);
  const { planId } = await createPlan(paypal);
  const created = await createSubscription(paypal, planId);
  const subscription = getLink(created, 'approve')!;
  for (const url of [order, subscription]) {
    await page.goto(url);
    await expect(page.getByRole('heading', { name: /Log in to pay/ })).toBeVisible();
    await expectAccessibleAndNarrow();
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('group', { name: 'Pay with' })).toBeVisible();
    await expectAccessibleAndNarrow();
  }
  paypal.paypal.approveSubscription(created.body.id);
  await page.goto(`${paypal.url}/myaccount/autopay`);
  await expectAccessibleAndNarrow();
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('button', { name: /Cancel/ })).toBeVisible();
  await expectAccessibleAndNarrow();
  await page.goto(`${paypal.url}/checkoutnow?token=unknown`);
  await expectAccessibleAndNarrow();
});

test('a buyer approves an order by keyboard', async ({ page, paypal }) => {
  await page.goto(await createOrder(paypal));
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /Sample Donor/ })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('To River Trust as buyer-gb@example.com')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
  const [event] = paypal.paypal.events;
  expect(event?.event_type).toBe('CHECKOUT.ORDER.APPROVED');
});
