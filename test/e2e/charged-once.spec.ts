import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { startFakeStripe, stripeJs } from '../fake-stripe/index.ts';
import {
  World,
  card,
  expect,
  fillCard,
  fillDonor,
  giveButton,
  pageWith,
  test as base,
} from './world.ts';

const WHO = '?amt=50&FName=Ana&LName=Souza&email=ana@example.org';

interface Till {
  readonly world: World;
  readonly address: string;
  fillCard(page: Page): Promise<void>;
  /** How many gifts were paid. */
  charges(): Promise<number>;
}

const thanks = (page: Page) => page.getByRole('heading', { name: /Thank you/ });
const sent = (page: Page) =>
  page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/donations'),
  );

/** How long an answer is on its way, in milliseconds: longer than it takes to leave the page. */
const ON_ITS_WAY = 250;

/** Sends gifts at once, and lets their answers come late. */
async function answerLate(page: Page): Promise<void> {
  await page.unroute('**/donations');
  await page.route('**/donations', async (route) => {
    const response = await route.fetch();
    await setTimeout(ON_ITS_WAY);
    await route.fulfill({ response }).catch(() => undefined);
  });
}

/** A page that was left before its request had got away shows the form again. */
async function giveAgainIfNotSent(page: Page, till: Till): Promise<void> {
  await expect(thanks(page).or(giveButton(page))).toBeVisible();
  if (await thanks(page).isVisible()) return;
  // The form has taken the donor's name out of the address.
  await fillDonor(page);
  await till.fillCard(page);
  await giveButton(page).click();
}

/** What impatient or unlucky donors do once the form is filled in. */
const HABITS: Readonly<Record<string, (page: Page, till: Till) => Promise<unknown>>> = {
  'a double click': (page) => giveButton(page).dblclick(),
  'Enter and a click': async (page) => {
    await page.getByLabel('E-mail').focus();
    await Promise.all([
      page.keyboard.press('Enter'),
      giveButton(page)
        .click({ force: true, timeout: 2_000 })
        .catch(() => undefined),
    ]);
  },
  'a reload while it is sent': async (page, till) => {
    await answerLate(page);
    await Promise.all([sent(page), giveButton(page).click()]);
    await page.reload();
    await giveAgainIfNotSent(page, till);
  },
  'back while it is sent, and forward again': async (page, till) => {
    await answerLate(page);
    await Promise.all([sent(page), giveButton(page).click()]);
    await page.goBack();
    await page.goForward();
    await giveAgainIfNotSent(page, till);
  },
  'a second tab while it is sent': async (page) => {
    await Promise.all([sent(page), giveButton(page).click()]);
    const [twin] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => {
        window.open(location.href);
      }),
    ]);
    await expect(thanks(twin).or(giveButton(twin))).toBeVisible();
    await twin.close();
  },
};

/** @param times how often each donor does so. */
function testHabits(
  name: string,
  times: number,
  open: () => Promise<Till & AsyncDisposable>,
): void {
  for (const [habit, act] of Object.entries(HABITS)) {
    base(`${name}: ${habit}, ${times} times: ${times} charges`, async ({ browser }) => {
      base.setTimeout(180_000);
      await using till = await open();
      const context = await browser.newContext();
      if (name === 'stripe')
        await context.route('https://js.stripe.com/**', async (route) =>
          route.fulfill({ body: stripeJs(till.address), contentType: 'text/javascript' }),
        );
      const page = await context.newPage();
      const address = pageWith(till.world, {}) + WHO;
      for (let given = 1; given <= times; given += 1) {
        await page.goto('about:blank');
        await page.goto(address);
        await till.fillCard(page);
        await act(page, till);
        await expect(thanks(page)).toBeVisible();
        await expect.poll(() => till.charges(), { intervals: [50] }).toBe(given);
      }
      await context.close();
      expect(await till.charges()).toBe(times);
    });
  }
}

/** Donations for each habit: more in CI, since they take minutes. */
const DONATIONS = process.env.CI ? 20 : 3;

testHabits('sandbox', DONATIONS, async () => {
  const world = await World.open();
  return {
    world,
    address: world.sandbox,
    fillCard: async (page) => {
      await card(page).getByLabel('Card number').waitFor();
      await fillCard(page);
    },
    charges: async () => (await world.activities()).length,
    [Symbol.asyncDispose]: () => world.close(),
  };
});

testHabits('stripe', 2, async () => {
  const stripe = await startFakeStripe();
  const world = await World.open(
    () => [
      {
        provider: 'stripe',
        publicKey: stripe.publishableKey,
        secretKey: { env: 'STRIPE_KEY' },
        webhookSecret: { env: 'STRIPE_WEBHOOK' },
        baseUrl: stripe.address,
      },
    ],
    { environment: { STRIPE_KEY: stripe.secretKey, STRIPE_WEBHOOK: stripe.webhookSecret } },
  );
  return {
    world,
    address: stripe.address,
    async fillCard(page) {
      const field = page.frameLocator('donation-form iframe');
      await field.getByLabel('Card number').fill('4242424242424242');
      await field.getByLabel('Expiration date').fill('12 / 34');
      await field.getByLabel('Security code').fill('123');
    },
    charges: () =>
      Promise.resolve(
        stripe.paymentIntents().filter(({ status }) => status === 'succeeded').length,
      ),
    async [Symbol.asyncDispose]() {
      await world.close();
      await stripe.close();
    },
  };
});
