import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { CARDS } from '../fake-stripe.ts';
import {
  fillStripeCard,
  findThankYou,
  listChargedAmounts,
  test as stripeTest,
} from './stripe-world.ts';
import {
  addFormPage,
  expect,
  fillCard,
  fillDonor,
  findCardFrame,
  findSubmitButton,
  test as base,
  World,
} from './world.ts';

const PREFILLED = '?amt=50&FName=Ana&LName=Souza&email=ana@example.org';

interface PaymentSetup {
  readonly world: World;
  fillCard(page: Page): Promise<void>;
  /** Returns the number of successful charges. */
  countCharges(): Promise<number>;
}

const waitForDonationRequest = (page: Page) =>
  page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/donations'),
  );

/** Delay of responses in milliseconds, long enough to leave the page. */
const RESPONSE_DELAY = 250;

/** Sends donations immediately but delays their responses. */
async function delayResponses(page: Page): Promise<void> {
  await page.route('**/donations', async (route) => {
    const response = await route.fetch();
    await setTimeout(RESPONSE_DELAY);
    await route.fulfill({ response }).catch(() => undefined);
  });
}

/** Submits again if the page was left before the request was sent. */
async function submitAgainIfNotSent(page: Page, setup: PaymentSetup): Promise<void> {
  await expect(findThankYou(page).or(findSubmitButton(page))).toBeVisible();
  if (await findThankYou(page).isVisible()) return;
  // The form has removed the donor's name from the URL.
  await fillDonor(page);
  await setup.fillCard(page);
  await findSubmitButton(page).click();
}

/** Ways that impatient donors submit the form. */
const HABITS: Readonly<Record<string, (page: Page, setup: PaymentSetup) => Promise<unknown>>> = {
  'a double click': (page) => findSubmitButton(page).dblclick(),
  'Enter and a click': async (page) => {
    await findSubmitButton(page).focus();
    await Promise.all([
      page.keyboard.press('Enter'),
      findSubmitButton(page)
        .click({ force: true, timeout: 2_000 })
        .catch(() => undefined),
    ]);
  },
  'a reload while submitting': async (page, setup) => {
    await delayResponses(page);
    await Promise.all([waitForDonationRequest(page), findSubmitButton(page).click()]);
    await page.reload();
    await submitAgainIfNotSent(page, setup);
  },
  'back and forward while submitting': async (page, setup) => {
    await delayResponses(page);
    await Promise.all([waitForDonationRequest(page), findSubmitButton(page).click()]);
    await page.goBack();
    await page.goForward();
    await submitAgainIfNotSent(page, setup);
  },
  'a second tab while submitting': async (page) => {
    await Promise.all([waitForDonationRequest(page), findSubmitButton(page).click()]);
    const [twin] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => {
        window.open(location.href);
      }),
    ]);
    await expect(findThankYou(twin).or(findSubmitButton(twin))).toBeVisible();
    await twin.close();
  },
};

/** The long tests make more donations, also with Stripe, since they take minutes. */
const isLong = process.env.LONG_TESTS !== undefined;
const DONATIONS_PER_HABIT = isLong ? 20 : 1;

/** Donates repeatedly with every habit, and counts the charges. */
async function donateWithEachHabit(page: Page, setup: PaymentSetup): Promise<void> {
  const url = addFormPage(setup.world, {}) + PREFILLED;
  let count = 0;
  for (const [habit, act] of Object.entries(HABITS))
    await base.step(habit, async () => {
      for (let time = 0; time < DONATIONS_PER_HABIT; time += 1) {
        await page.unroute('**/donations');
        await page.goto('about:blank');
        await page.goto(url);
        await setup.fillCard(page);
        await act(page, setup);
        await expect(findThankYou(page)).toBeVisible();
        count += 1;
        await expect.poll(() => setup.countCharges(), { intervals: [50] }).toBe(count);
      }
    });
  expect(await setup.countCharges()).toBe(count);
}

async function openSandboxSetup(): Promise<PaymentSetup & AsyncDisposable> {
  const world = await World.open();
  return {
    world,
    fillCard: async (page) => {
      await findCardFrame(page).getByLabel('Card number').waitFor();
      await fillCard(page);
    },
    countCharges: async () => (await world.listActivities()).length,
    [Symbol.asyncDispose]: () => world.close(),
  };
}

base('sandbox: each habit of impatient donors makes one charge per donation', async ({ page }) => {
  base.setTimeout(60_000 + DONATIONS_PER_HABIT * 60_000);
  await using setup = await openSandboxSetup();
  await donateWithEachHabit(page, setup);
});

for (const [title, refusesStorage, calls] of [
  ['once over all tabs', false, 1],
  ['once per tab if the browser refuses storage for the site', true, 2],
] as const)
  base(`rule 51: a tab duplicated while submitting: calls onSuccess ${title}`, async ({ page }) => {
    await using setup = await openSandboxSetup();
    let count = 0;
    const context = page.context();
    await context.exposeFunction('countSuccess', () => {
      count += 1;
    });
    if (refusesStorage)
      await context.addInitScript(() => {
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('Refused', 'SecurityError');
          },
        });
      });
    const address = addFormPage(
      setup.world,
      {},
      '<script>window.ServiceDonorsForms = { settings: { onSuccess: () => countSuccess() } };</script>',
    );
    await page.goto(address + PREFILLED);
    let releaseResponse = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      releaseResponse = resolve;
    });
    await page.route('**/donations', async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await setup.fillCard(page);
    await Promise.all([waitForDonationRequest(page), findSubmitButton(page).click()]);
    const [twin] = await Promise.all([
      context.waitForEvent('page'),
      // Listens before the tab opens, because its request may be sent before `page` is reported.
      context.waitForEvent('request', (request) => request.url().endsWith('/donations')),
      page.evaluate(() => {
        window.open(location.href);
      }),
    ]);
    releaseResponse();
    await expect(findThankYou(page)).toBeVisible();
    await expect(findThankYou(twin)).toBeVisible();
    await expect.poll(() => count).toBe(calls);
    await twin.reload();
    await expect(findSubmitButton(twin)).toBeVisible();
    expect(count).toBe(calls);
    expect(await setup.countCharges()).toBe(1);
  });

if (isLong)
  stripeTest(
    'stripe: each habit of impatient donors makes one charge per donation',
    async ({ page, world, stripe }) => {
      base.setTimeout(60_000 + DONATIONS_PER_HABIT * 60_000);
      await donateWithEachHabit(page, {
        world,
        fillCard: () => fillStripeCard(page, CARDS.good),
        countCharges: () => Promise.resolve(listChargedAmounts(stripe).length),
      });
    },
  );
