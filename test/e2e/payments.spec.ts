import type { Page } from 'playwright/test';
import { CARDS, startFakeStripe, stripeJs, type FakeStripe } from '../fake-stripe/index.ts';
import {
  World,
  card,
  expect,
  fillCard,
  fillDonor,
  form,
  giveButton,
  pageWith,
  referenceOf,
  test as base,
} from './world.ts';

/**
 * A world whose gifts are paid by Stripe: the real library on the server, its fake behind it, and
 * in the browser a stand-in for Stripe.js, which can be had from its own address only.
 */
const test = base.extend<{ stripe: FakeStripe; world: World }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  stripe: async ({}, use) => {
    await using fake = await startFakeStripe();
    await use(fake);
  },
  world: async ({ stripe, context }, use) => {
    const world = await World.open(
      () => [
        {
          provider: 'stripe',
          publicKey: stripe.publishableKey,
          secretKey: { env: 'STRIPE_KEY' },
          webhookSecret: { env: 'STRIPE_WEBHOOK' },
          methods: ['card', 'us_bank_account'],
          baseUrl: stripe.address,
        },
      ],
      { environment: { STRIPE_KEY: stripe.secretKey, STRIPE_WEBHOOK: stripe.webhookSecret } },
    );
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ body: stripeJs(stripe.address), contentType: 'text/javascript' }),
    );
    await use(world);
    await world.close();
  },
});

/** A page that writes down what onSuccess was called with, over reloads. */
const listening = (world: World, attributes = {}, around = ''): string =>
  pageWith(
    world,
    attributes,
    `${around}<script>
  window.ServiceDonorsForms = { settings: { onSuccess: (response) => { localStorage.setItem('heard', (localStorage.getItem('heard') ?? '') + response.amount + ' '); } } };
</script>`,
  );
const heard = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('heard'));

const field = (page: Page) => page.frameLocator('donation-form iframe');
async function fillStripe(page: Page, number: string): Promise<void> {
  await field(page).getByLabel('Card number').fill(number);
  await field(page).getByLabel('Expiration date').fill('12 / 34');
  await field(page).getByLabel('Security code').fill('123');
}
const bank = (page: Page) => page.frameLocator('iframe[src*="/authenticate/"]');
/** Gives with a card of which the bank asks, until it asks. */
async function giveUntilAsked(page: Page, world: World): Promise<void> {
  await page.goto(listening(world));
  await fillDonor(page);
  await fillStripe(page, CARDS.authenticated);
  await giveButton(page).click();
  await expect(bank(page).getByRole('button', { name: 'Complete' })).toBeVisible();
}

const thanks = (page: Page) => page.getByRole('heading', { name: /Thank you/ });
const charged = (stripe: FakeStripe): number[] =>
  stripe
    .paymentIntents()
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount_received }) => amount_received);

test("a card typed into Stripe's field pays once, what is shown is what is charged, and no card number leaves the frame", async ({
  page,
  world,
  stripe,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stripe.address))
      sent.push(request.url() + (request.postData() ?? ''));
  });
  await page.goto(listening(world));
  await fillDonor(page);
  await page.getByLabel('to cover the costs').check();
  await fillStripe(page, CARDS.good);
  await expect(giveButton(page)).toHaveText('Give $51.81');
  await giveButton(page).click();
  await expect(thanks(page)).toBeFocused();
  expect(charged(stripe)).toEqual([5_181]);
  expect(await heard(page)).toBe('51.81 ');
  const kept = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      document.querySelector('donation-form')!.shadowRoot!.innerHTML,
      Object.entries(sessionStorage),
      Object.entries(localStorage),
    ]),
  );
  for (const text of [...sent, kept])
    expect(text.replaceAll(/[ -]/g, '')).not.toContain('4242424242424242');
});

test("Enter in Stripe's field, a double click and both together charge once", async ({
  page,
  world,
  stripe,
}) => {
  for (let times = 0; times < 5; times += 1) {
    await page.goto(listening(world));
    await fillDonor(page);
    await fillStripe(page, CARDS.good);
    await giveButton(page).scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await giveButton(page).boundingBox()) ?? {};
    await Promise.all([
      field(page).getByLabel('Security code').press('Enter'),
      page.mouse.dblclick(x + 20, y + 20),
      page.mouse.click(x + 20, y + 20),
    ]);
    await expect(thanks(page)).toBeVisible();
  }
  expect(charged(stripe)).toHaveLength(5);
});

test('a declined card says so in the form, and another one pays', async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(listening(world));
  await fillDonor(page);
  await fillStripe(page, CARDS.insufficientFunds);
  await giveButton(page).click();
  await expect(form(page).locator('#notice')).toContainText('Nothing was charged');
  await fillStripe(page, CARDS.good);
  await giveButton(page).click();
  await expect(thanks(page)).toBeVisible();
  expect(charged(stripe)).toEqual([5_000]);
});

test('3-D Secure opens over the page; confirming thanks, refusing says that nothing was charged', async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(listening(world));
  await fillDonor(page);
  await fillStripe(page, CARDS.authenticated);
  await giveButton(page).click();
  await bank(page).getByRole('button', { name: 'Fail' }).click();
  await expect(form(page).locator('#notice')).toContainText('not confirmed');
  await fillStripe(page, CARDS.authenticated);
  await giveButton(page).click();
  await bank(page).getByRole('button', { name: 'Complete' }).click();
  await expect(thanks(page)).toBeFocused();
  expect(charged(stripe)).toEqual([5_000]);
  expect(await heard(page)).toBe('50 ');
});

test('a reload in the middle of 3-D Secure shows one more step; going on ends in one charge and one onSuccess, and a reload after it in none', async ({
  page,
  world,
  stripe,
}) => {
  await giveUntilAsked(page, world);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await bank(page).getByRole('button', { name: 'Complete' }).click();
  await expect(thanks(page)).toBeVisible();
  await page.reload();
  await expect(giveButton(page)).toBeVisible();
  expect(charged(stripe)).toEqual([5_000]);
  expect(await heard(page)).toBe('50 ');
});

test('a reload after the bank was told, before the page knew, thanks at once', async ({
  page,
  world,
  stripe,
}) => {
  await giveUntilAsked(page, world);
  stripe.authenticate(stripe.paymentIntents()[0]!.id, true);
  await page.reload();
  await expect(thanks(page)).toBeVisible();
  expect(await heard(page)).toBe('50 ');
});

test('who does not give after all, in the middle of 3-D Secure, is charged nothing and gets the form back', async ({
  page,
  world,
  stripe,
}) => {
  await giveUntilAsked(page, world);
  await page.reload();
  await page.getByRole('button', { name: 'Do not give now' }).click();
  await expect(form(page).locator('#notice')).toContainText('Nothing was charged');
  await expect(giveButton(page)).toBeVisible();
  expect(stripe.paymentIntents().map(({ status }) => status)).toEqual(['canceled']);
  expect(await heard(page)).toBe(null);
  await expect(page.getByLabel('E-mail')).toHaveValue('ana@example.org');
});

test("a tab that is closed in the middle of 3-D Secure: Stripe's webhook brings the gift to the platform", async ({
  page,
  world,
  stripe,
}) => {
  await giveUntilAsked(page, world);
  await page.close();
  stripe.authenticate(stripe.paymentIntents()[0]!.id, true);
  expect(
    new Set(
      await stripe.deliver(`${world.endpoint}/webhooks/stripe/lanternwell`, {
        order: 'shuffled',
        times: 2,
      }),
    ),
  ).toEqual(new Set([204]));
  await expect.poll(() => world.activities()).toHaveLength(1);
});

/** A page on which the form stands in a shadow root of the page's own. */
function shadowPage(world: World): string {
  const path = `/shadow-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><script>window.ServiceDonorsForms = { settings: { onSuccess: () => { localStorage.setItem('heard', (localStorage.getItem('heard') ?? '') + 'once '); } } };</script>
<script type="module" src="${world.endpoint}/donation-form.js"></script><body><div id="host"></div><script>
document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<donation-form endpoint="${world.endpoint}"></donation-form>';
</script>`,
  );
  return world.page + path;
}

test("in a shadow root of the page, where Stripe's field refuses to be, Stripe's own page takes the gift and leads back to the thank-you", async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(shadowPage(world));
  await fillDonor(page);
  await expect(page.frameLocator('iframe').getByLabel('Card number')).toHaveCount(0);
  await giveButton(page).click();
  await page.waitForURL(`${stripe.address}/**`);
  await page.getByLabel('Card number').fill(CARDS.good);
  await page.getByRole('button', { name: /Donate|Pay/ }).click();
  await page.waitForURL(`${world.page}/**`);
  await expect(thanks(page)).toBeVisible();
  expect(charged(stripe)).toEqual([5_000]);
  expect(await heard(page)).toBe('once ');
  expect(new URL(page.url()).search).toBe('');
});

test("back from Stripe's own page, the donor may go on or not", async ({ page, world, stripe }) => {
  await page.goto(shadowPage(world));
  await fillDonor(page);
  await giveButton(page).click();
  await page.waitForURL(`${stripe.address}/**`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${stripe.address}/**`);
  await page.goBack();
  await page.getByRole('button', { name: 'Do not give now' }).click();
  await expect(giveButton(page)).toBeVisible();
  expect(charged(stripe)).toEqual([]);
});

test("a monthly gift is thanked with the way to change or end it, which leads to Stripe's page", async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(listening(world, { frequency: 'monthly' }));
  await page.getByRole('radio', { name: 'Monthly' }).check();
  await fillDonor(page);
  await fillStripe(page, CARDS.good);
  await giveButton(page).click();
  await expect(thanks(page)).toBeVisible();
  const [manage] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Change your card or end this gift' }).click(),
  ]);
  await manage.waitForURL(`${stripe.address}/p/login/**`);
  expect(stripe.paymentIntents()).toHaveLength(1);
});

base(
  'the sandbox asks as a bank does: on a page of its own, which leads back; a closed tab ends well all the same',
  async ({ page, world, context }) => {
    await page.goto(listening(world));
    await fillDonor(page);
    await fillCard(page, '4000 0027 6000 3184');
    await giveButton(page).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(thanks(page)).toBeVisible();
    expect(await heard(page)).toBe('50 ');
    expect(await world.charges(await referenceOf(page))).toMatchObject([
      { state: 'succeeded', amount: 5_000 },
    ]);
    const other = await context.newPage();
    await other.goto(listening(world));
    await fillDonor(other);
    await fillCard(other, '4000 0027 6000 3184');
    await giveButton(other).click();
    const confirm = other.getByRole('button', { name: 'Confirm' });
    await expect(confirm).toBeVisible();
    const address = other.url();
    await other.close();
    await fetch(address, { method: 'POST', body: new URLSearchParams({ answer: 'confirm' }) });
    await expect.poll(() => world.activities(), { timeout: 20_000 }).toHaveLength(2);
  },
);

base(
  'who refuses at the bank comes back to a form that still has all but the card, and nothing of it stays in the tab once the gift has ended',
  async ({ page, world }) => {
    await page.goto(listening(world));
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await page.getByRole('radio', { name: '$75' }).check();
    await fillDonor(page);
    await fillCard(page, '4000 0027 6000 3184');
    await giveButton(page).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(form(page).locator('#notice')).toContainText('not confirmed');
    await expect(giveButton(page)).toHaveText('Give $75 every month');
    await expect(page.getByLabel('E-mail')).toHaveValue('ana@example.org');
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
      'ana@',
    );
  },
);

test('what the bank asks lies over the dialog of a donation button, which is modal again afterwards', async ({
  page,
  world,
}) => {
  world.pages.set(
    '/button',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><script type="module" src="${world.endpoint}/donation-button.js"></script><body><donation-button><a href="/give">Give water</a></donation-button>`,
  );
  await page.goto(`${world.page}/button`);
  await page.getByRole('link', { name: 'Give water' }).click();
  await fillDonor(page);
  await fillStripe(page, CARDS.authenticated);
  await giveButton(page).click();
  await bank(page).getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await page.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
});

base(
  'a bank account pays later: the page says so, without onSuccess, and the money arrives with the clock',
  async ({ page, world }) => {
    await page.goto(listening(world));
    await fillDonor(page);
    // A frame that is not in view draws nothing, so that nothing in it comes to rest.
    await giveButton(page).scrollIntoViewIfNeeded();
    await card(page).getByLabel('Bank account').check();
    await card(page).getByLabel('Account number').fill('000123456789');
    await card(page)
      .getByLabel(/Routing|Sort/)
      .fill('110000000');
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible();
    expect(await heard(page)).toBe(null);
    const reference = await referenceOf(page);
    await world.passDays(4);
    await expect.poll(async () => (await world.charges(reference))[0]?.state).toBe('succeeded');
    await expect.poll(() => world.statusOf(reference), { timeout: 20_000 }).toBe(1);
  },
);

base(
  'a promised gift shows where to send the money, and the platform knows it as pending',
  async ({ page, world }) => {
    await page.goto(listening(world));
    await fillDonor(page);
    await page.getByRole('radio', { name: 'Transfer or cheque' }).check();
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: /how to pay/ })).toBeVisible();
    const reference = await referenceOf(page);
    await expect(form(page).getByText(`Reference ${reference}`).first()).toBeVisible();
    expect(await heard(page)).toBe(null);
    await expect.poll(() => world.statusOf(reference)).toBe(8);
  },
);

base(
  'a monthly gift is renewed, refunded and ended at the processor, and the platform hears of each',
  async ({ page, world }) => {
    await page.goto(listening(world));
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    await expect(thanks(page)).toBeVisible();
    const reference = await referenceOf(page);
    await world.passDays(32);
    await expect.poll(() => world.statusOf(`${reference}-2`), { timeout: 20_000 }).toBe(1);
    const renewal = (await world.charges(reference))[1]!;
    await world.refund(renewal.id);
    await expect.poll(() => world.statusOf(`${reference}-2`), { timeout: 20_000 }).toBe(4);
    expect(await world.statusOf(reference)).toBe(1);
  },
);
