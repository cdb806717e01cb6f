import type { Page, Route } from 'playwright/test';
import { enSubmission } from '../../src/core/i18n/en-submission.ts';
import { STRIPE_JS_URL } from '../../src/core/url/stripe-js-url.ts';
import { RESPONSE_TIME } from '../../src/donation-form/payment-fields/time-limit.ts';
import type {} from '../../src/sandbox/stripe/browser/stripe.ts';
import { STRIPE_SOURCES } from '../../src/server/payments/stripe/content-security-policy.ts';
import { buildStripeJs, CARDS, type FakeStripe } from '../fake-stripe.ts';
import {
  addRecordingPage,
  donateUntilAuthentication,
  fillStripeCard,
  findBankDialog,
  findStripeFrame,
  findThankYou,
  listChargedAmounts,
  test,
} from './stripe-world.ts';
import { addFormPage, expect, fillDonor, findForm, findSubmitButton, type World } from './world.ts';

const { notices, tryOtherPayment } = enSubmission;

const readRecordedAmounts = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('amounts'));

/** Fills in the card on Stripe's own page. */
async function fillCheckoutCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
}

test("a card in Stripe's field is charged the displayed amount once, and its number never leaves the frame", async ({
  page,
  world,
  stripe,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stripe.url))
      sent.push(request.url() + (request.postData() ?? ''));
  });
  await page.goto(addRecordingPage(world));
  await fillDonor(page);
  await page.getByLabel('cover the transaction fees').check();
  await fillStripeCard(page, CARDS.good);
  await expect(findSubmitButton(page)).toHaveText('Give $51.81');
  await findSubmitButton(page).click();
  await expect(findThankYou(page)).toBeFocused();
  expect(listChargedAmounts(stripe)).toEqual([5_181]);
  await expect.poll(() => readRecordedAmounts(page)).toBe('51.81 ');
  const pageContent = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      document.querySelector('donation-form')!.shadowRoot!.innerHTML,
      Object.entries(sessionStorage),
      Object.entries(localStorage),
    ]),
  );
  for (const text of [...sent, pageContent])
    expect(text.replaceAll(/[ -]/g, '')).not.toContain('4242424242424242');
});

test('3-D Secure opens over the page; confirming leads to the thank-you page, refusing to an error', async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(addRecordingPage(world));
  await page.getByRole('radio', { name: '$75' }).check();
  await fillDonor(page);
  await fillStripeCard(page, CARDS.authenticated);
  await findSubmitButton(page).click();
  await findBankDialog(page).getByRole('button', { name: 'Fail' }).click();
  await expect(findForm(page).locator('#notice')).toHaveText(
    `${notices['not-confirmed']} ${tryOtherPayment}`,
  );
  await expect(page.getByRole('radio', { name: 'Bank account' })).toBeVisible();
  await expect(findStripeFrame(page).getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel('Email')).toHaveValue('ana@example.org');
  await expect(findSubmitButton(page)).toHaveText('Try again · $75');
  await fillStripeCard(page, CARDS.authenticated);
  await findSubmitButton(page).click();
  await findBankDialog(page).getByRole('button', { name: 'Complete' }).click();
  await expect(findThankYou(page)).toBeFocused();
  expect(listChargedAmounts(stripe)).toEqual([7_500]);
  await expect.poll(() => readRecordedAmounts(page)).toBe('75 ');
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
    'ana@',
  );
});

test("PayPal's page leads back to the form after canceling, with everything filled in, and to the thank-you page after paying", async ({
  page,
  world,
  stripe,
}) => {
  await page.addInitScript(() => {
    window.stripeWallets = [];
  });
  await page.goto(addRecordingPage(world));
  await fillDonor(page);
  const donateWithPayPal = async (answer: string) => {
    await page.getByRole('radio', { name: 'PayPal' }).check();
    await findSubmitButton(page).click();
    await page.getByRole('button', { name: answer }).click();
  };
  await donateWithPayPal('Fail');
  await expect(findForm(page).locator('#notice')).toContainText("wasn't confirmed");
  await expect(findForm(page).getByLabel('Email')).toHaveValue('ana@example.org');
  expect(listChargedAmounts(stripe)).toEqual([]);
  await donateWithPayPal('Complete');
  await expect(findThankYou(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toEqual([5_000]);
  await expect.poll(() => readRecordedAmounts(page)).toBe('50 ');
  expect(stripe.listPaymentIntents().map(({ status }) => status)).toEqual([
    'canceled',
    'succeeded',
  ]);
});

test('a reload during 3-D Secure resumes it, with one charge and one onSuccess; later reloads change nothing', async ({
  page,
  world,
  stripe,
}) => {
  await donateUntilAuthentication(page, addRecordingPage(world));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await findBankDialog(page).getByRole('button', { name: 'Complete' }).click();
  await expect(findThankYou(page)).toBeVisible();
  await page.reload();
  await expect(findSubmitButton(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toEqual([5_000]);
  await expect.poll(() => readRecordedAmounts(page)).toBe('50 ');
});

/** Returns a page with the form inside a shadow root. */
function addShadowPage(world: World): string {
  const path = `/shadow-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><script>window.ServiceDonorsForms = { settings: { onSuccess: () => { localStorage.setItem('amounts', (localStorage.getItem('amounts') ?? '') + 'once '); } } };</script>
<script type="module" src="${world.endpoint}/donation-form.js"></script><body><div id="host"></div><script>
document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<donation-form endpoint="${world.endpoint}"></donation-form>';
</script>`,
  );
  return world.page + path;
}

test('after leaving hosted checkout, the donor can continue or cancel', async ({
  page,
  world,
  stripe,
}) => {
  await page.goto(addShadowPage(world));
  await fillDonor(page);
  await findSubmitButton(page).click();
  await page.waitForURL(`${stripe.url}/**`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${stripe.url}/**`);
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(findSubmitButton(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toEqual([]);
});

/**
 * Serves Stripe.js from Stripe's URLs, with its frames on a subdomain. It also loads something else
 * from each of Stripe's and Link's hosts.
 */
async function serveStripeHosts(page: Page, { url }: FakeStripe): Promise<void> {
  const frameUrl = 'https://b-7f3.js.stripe.com';
  const apiUrl = 'https://api.stripe.com';
  const probes = `
for (const host of ['q.stripe.com', 'a.link.com']) new Image().src = \`https://\${host}/probe\`;
for (const host of ['js.stripe.com', 'hooks.stripe.com', 'link.com', 'a.link.com'])
  document.body.append(Object.assign(document.createElement('iframe'), { src: \`https://\${host}/probe\`, hidden: true }));
for (const host of ['api.stripe.com', 'link.com', 'a.link.com']) void fetch(\`https://\${host}/probe\`);`;
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({
      body: buildStripeJs(url, { apiUrl, frameUrl }) + probes,
      contentType: 'text/javascript',
    }),
  );
  await page.route(
    ({ origin }) => origin === frameUrl || origin === apiUrl,
    async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: url + pathname + search }) });
    },
  );
  await page.route('https://*/probe', (route) =>
    route.fulfill({ body: '', headers: { 'Access-Control-Allow-Origin': '*' } }),
  );
}

// Each test fails if its page reports a violation of its policy.
test('with the documented Content-Security-Policy, nothing of Stripe is blocked, and 3-D Secure works', async ({
  page,
  world,
  stripe,
}) => {
  await serveStripeHosts(page, stripe);
  const policy = Object.entries(STRIPE_SOURCES)
    .map(([name, sources]) => `${name} ${world.endpoint} ${sources.join(' ')}`)
    .join('; ');
  world.pages.set(
    '/with-policy',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}"><script type="module" src="${world.endpoint}/donation-form.js"></script><body><donation-form endpoint="${world.endpoint}"></donation-form>`,
  );
  await page.goto(`${world.page}/with-policy`);
  await fillDonor(page);
  await fillStripeCard(page, CARDS.authenticated);
  // By keyboard, because the frame's style sheet arrives late and moves the button.
  await findSubmitButton(page).press('Enter');
  await findBankDialog(page).getByRole('button', { name: 'Complete' }).click();
  await expect(findThankYou(page)).toBeVisible();
});

test("the endpoint's preview of a form shows Stripe's field and blocks nothing of Stripe", async ({
  page,
  world,
  stripe,
}) => {
  await serveStripeHosts(page, stripe);
  await page.goto(`${world.endpoint}/links/preview/main`);
  await fillStripeCard(page, CARDS.good);
});

test('if the connection to Stripe is dropped, the donor pays on the hosted page; once it works, the field appears', async ({
  page,
  world,
  stripe,
}) => {
  let finishConnecting: () => void = () => undefined;
  const connected = new Promise<void>((resolve) => {
    finishConnecting = resolve;
  });
  await page.route('https://js.stripe.com/**', async (route) => {
    await connected;
    await route.fallback();
  });
  await page.clock.install();
  const connecting = page.waitForRequest('https://js.stripe.com/**');
  await page.goto(addRecordingPage(world));
  await fillDonor(page);
  await connecting;
  await expect(async () => {
    await page.clock.fastForward(RESPONSE_TIME);
    await expect(page.getByText("You'll pay in the next step")).toBeVisible({ timeout: 500 });
  }).toPass();
  finishConnecting();
  await expect(findStripeFrame(page).getByLabel('Card number')).toBeVisible();
  await expect(page.getByText("You'll pay in the next step")).toBeHidden();
  await page.evaluate(() => {
    window.stripeFaults = { createConfirmationToken: 'silent' };
  });
  await fillStripeCard(page, CARDS.good);
  await findSubmitButton(page).click();
  await expect(findSubmitButton(page)).toHaveText('Sending your donation…');
  await expect(async () => {
    await page.clock.fastForward(RESPONSE_TIME);
    await findForm(page)
      .getByRole('button', { name: "Pay on the payment provider's page instead" })
      .click({ timeout: 500 });
  }).toPass();
  await page.waitForURL(`${stripe.url}/**`);
  await fillCheckoutCard(page, CARDS.good);
  await page.getByRole('button', { name: /Donate|Pay/ }).click();
  await page.waitForURL(`${world.page}/**`);
  await expect(findThankYou(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toEqual([5_000]);
});

test('Stripe.js loads when the donor scrolls near the form, and moves nothing in view', async ({
  page,
  world,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        (window as never as { shift: number }).shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(addFormPage(world, {}, '<div style="height: 4000px"></div>'));
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => url.includes('js.stripe.com'))).toEqual([]);
  await page.mouse.move(640, 450);
  for (let step = 0; step < 20; step += 1) {
    await page.mouse.wheel(0, 200);
    await page.waitForTimeout(100);
  }
  await findSubmitButton(page).scrollIntoViewIfNeeded();
  await expect(findStripeFrame(page).getByLabel('Card number')).toBeVisible();
  expect(await page.evaluate(() => (window as never as { shift: number }).shift)).toBeLessThan(
    0.01,
  );
});

test('Stripe.js starts to load once before the second script has arrived, but only on the first screen and a half, and without a replacement', async ({
  page,
  world,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const routes: Route[] = [];
  await page.route('**/donation-form.lazy-*', (route) => void routes.push(route));
  const listStripeRequests = () => requests.filter((url) => url.includes('js.stripe.com'));
  const replacement =
    "<script>globalThis[Symbol.for('donation-form payment providers')] = new Map([['stripe']])</script>";
  for (const [path, top, script] of [
    ['/below', 4_000, ''],
    ['/replaced', 0, replacement],
    ['/first-screen', 0, ''],
  ] as const) {
    world.pages.set(
      path,
      `<!doctype html><html lang="en"><title>Give</title>${script}<body><div style="height: ${top}px"></div>` +
        `<donation-form form-id="main"></donation-form><script type="module" src="${world.endpoint}/embed/main.js"></script>`,
    );
    await page.goto(world.page + path);
    await expect(findSubmitButton(page)).toHaveText(/Give/);
    // The observer reports in the first frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    );
    if (path !== '/first-screen') expect(listStripeRequests()).toEqual([]);
  }
  await expect.poll(listStripeRequests).toEqual([STRIPE_JS_URL]);
  await routes.at(-1)!.continue();
  await expect(findStripeFrame(page).getByLabel('Card number')).toBeVisible();
  await expect(page.locator(`link[href="${STRIPE_JS_URL}"]`)).toHaveCount(1);
});

test("the bank's dialog opens above the modal dialog of a donation button, which is modal again afterwards", async ({
  page,
  world,
}) => {
  world.pages.set(
    '/button',
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><script ' +
      'type="module" ' +
      `src="${world.endpoint}/donation-button.js"></script><body><donation-button><a ` +
      'href="/give">Give water</a></donation-button>',
  );
  await page.goto(`${world.page}/button`);
  await page.getByRole('link', { name: 'Give water' }).click();
  await fillDonor(page);
  await fillStripeCard(page, CARDS.authenticated);
  await findSubmitButton(page).click();
  await findBankDialog(page).getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const isModal = (dialog: Element) => dialog.matches(':modal');
  expect(await page.getByRole('dialog', { name: 'Give water' }).evaluate(isModal)).toBe(true);
});

test("Enter in Stripe's field before its script has loaded keeps what the donor typed", async ({
  page,
  world,
  stripe,
}) => {
  let load = (): void => undefined;
  const canLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(`${stripe.url}/elements.js`, async (route) => {
    await canLoad;
    await route.continue();
  });
  await page.goto(addRecordingPage(world));
  await fillDonor(page);
  await fillStripeCard(page, CARDS.good);
  await page.keyboard.press('Enter');
  load();
  await findSubmitButton(page).click();
  await expect(findThankYou(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toHaveLength(1);
});
