import type { Page } from 'playwright/test';
import {
  openStripeSandbox,
  type StripeSandboxFixture,
} from '../../src/sandbox/test/stripe/sandbox-support.ts';
import { listen } from '../../src/server/http/listen.ts';
import { CARDS } from '../fake-stripe.ts';
import { findViolationsInBothSchemes } from './find-violations.ts';
import { expect, test as base } from './world.ts';

const EMAIL = 'ana@example.org';

interface StripePages extends StripeSandboxFixture {
  readonly url: string;
}

const test = base.extend<{ sandbox: StripePages }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  sandbox: async ({}, use) => {
    const fixture = openStripeSandbox();
    const { url, close } = await listen(fixture.sandbox.fetch, { host: '127.0.0.1', port: 0 });
    await use({ ...fixture, url });
    await close();
    fixture.sandbox.close();
  },
});

/** Opens a page whose URL may have the origin of the sandbox without sockets. */
async function openPage(page: Page, { url }: StripePages, target: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(url + new URL(target, url).pathname);
}

/** Expects that the page passes axe in light and dark and does not scroll sideways. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 30');
  await page.getByLabel('Security code').fill('123');
}

test("Stripe's emulated checkout charges a card after authentication and returns to the site", async ({
  page,
  sandbox,
}) => {
  // Playwright's routes don't apply to redirects.
  const site = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  const { id, url } = await sandbox.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        price_data: {
          currency: 'usd',
          product_data: { name: 'Village wells' },
          unit_amount: 5_181,
        },
        quantity: 1,
      },
    ],
    customer_email: EMAIL,
    success_url: `${site.url}/give?form=general`,
    cancel_url: `${site.url}/give`,
    submit_type: 'donate',
  });
  await openPage(page, sandbox, url!);
  await expectAccessible(page);
  const donateButton = page.getByRole('button', { name: 'Donate $51.81' });
  await donateButton.click();
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(
    'Check the card number.',
  );
  await expectAccessible(page);
  await fillCard(page, CARDS.authenticated);
  await donateButton.click();
  await expect(page.getByRole('heading', { name: 'Confirm this payment?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL(`${site.url}/give?form=general`);
  await site.close();
  const { payment_status } = await sandbox.stripe.checkout.sessions.retrieve(id);
  expect(payment_status).toBe('paid');
});

test("a donor opens Stripe's emulated portal from an email, changes the card, and cancels", async ({
  page,
  sandbox,
}) => {
  const subscription = await sandbox.createSubscription(CARDS.good, EMAIL);
  const { login_page } = await sandbox.stripe.billingPortal.configurations.create({
    features: { subscription_cancel: { enabled: true } },
    login_page: { enabled: true },
  });
  await openPage(page, sandbox, login_page.url!);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/^Enter an email address/);
  await expectAccessible(page);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(
    page.getByText(
      'If there is a recurring donation with this email address, we have sent you a link.',
    ),
  ).toBeVisible();
  await expectAccessible(page);
  await openPage(page, sandbox, '/');
  await expectAccessible(page);
  await page.getByRole('region', { name: 'Emails (not delivered)' }).getByRole('link').click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Change card' }).click();
  await expectAccessible(page);
  await fillCard(page, '5555 5555 5555 4444');
  await page.getByRole('button', { name: 'Change card' }).click();
  await expect(page.getByText('•••• 4444')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel donation' }).click();
  await expect(page.getByText('You have no recurring donations.')).toBeVisible();
  expect((await sandbox.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
});

test('an operator refunds part of a payment in the sandbox console', async ({ page, sandbox }) => {
  await sandbox.createPayment(CARDS.good);
  await page.goto(sandbox.url);
  await page.getByText('Actions').click();
  await page.getByLabel('Amount to refund in USD').fill('12.50');
  await page.getByRole('button', { name: 'Refund part' }).click();
  await expect(page.getByText('$12.50 refunded')).toBeVisible();
});
