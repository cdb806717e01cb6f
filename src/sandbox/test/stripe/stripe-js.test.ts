import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type Browser, chromium, type Frame, type Page } from 'playwright';
import { chromium as options } from '../../../../test/browsers.ts';
import { BANKS, buildStripeJs, CARDS } from '../../../../test/fake-stripe.ts';
import { listen } from '../../../server/http/listen.ts';
import type {} from '../../stripe/browser/stripe.ts';
import { PAYMENT_PARAMS, type StripeFixture, test } from './support.ts';

const SITE = 'https://give.example/';
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const ELEMENTS_OPTIONS = {
  mode: 'payment',
  amount: 5_000,
  currency: 'usd',
  allowedPaymentMethodTypes: ['card', 'us_bank_account'],
} as const;

let browser: Browser;
let page: Page;
before(async () => {
  browser = await chromium.launch(options);
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  page = await context.newPage();
});
after(() => browser.close());

/** Opens a new page that may load only Stripe.js and the fake's files. */
async function openPage({ fake }: StripeFixture): Promise<void> {
  await page.unrouteAll();
  await page.route(SCRIPT, (route) =>
    route.fulfill({ body: buildStripeJs(fake.url), contentType: 'text/javascript' }),
  );
  await page.route(`${SITE}**`, (route) =>
    route.fulfill({
      body: `<!doctype html><title>Give</title><div id="place"></div><div id="shadow"></div><script src="${SCRIPT}"></script>`,
      contentType: 'text/html',
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src https://js.stripe.com; frame-src ${fake.url}; connect-src ${fake.url}`,
      },
    }),
  );
  await page.goto(SITE);
}

/** Mounts the element and records its change events in `window.changes`. */
async function mountPaymentElement(
  payment: object = ELEMENTS_OPTIONS,
  element: object = {},
): Promise<Frame> {
  await page.evaluate(
    ([payment, element]) =>
      new Promise<void>((resolve) => {
        const stripe = window.Stripe!('pk_test_fake');
        const elements = stripe.elements(payment as never);
        const mounted = elements.create('payment', element as never);
        const changes: unknown[] = [];
        mounted.on('change', ({ complete, value }) => changes.push([complete, value.type]));
        mounted.on('ready', () => resolve());
        Object.assign(window, { stripe, elements, mounted, changes });
        mounted.mount('#place');
      }),
    [payment, element],
  );
  return page.frames().find((frame) => frame.url().endsWith('/elements'))!;
}

async function fillCard(frame: Frame, number: string): Promise<void> {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill('12 / 34');
  await frame.getByLabel('Security code').fill('123');
}

interface Token {
  confirmationToken?: {
    id: string;
    payment_method_preview: { type: string; card?: { wallet: { type: string } | null } };
  };
  error?: { type: string; code: string };
}

const createToken = (): Promise<Token> =>
  page.evaluate(async () => {
    const { stripe, elements } = window as never as {
      stripe: { createConfirmationToken: (given: object) => Promise<Token> };
      elements: { submit: () => Promise<Token> };
    };
    const { error } = await elements.submit();
    return error
      ? { error }
      : stripe.createConfirmationToken({
          elements,
          params: { payment_method_data: { billing_details: { name: 'Ana Souza' } } },
        });
  });

const handleNextAction = (clientSecret: string) =>
  page.evaluate(
    (clientSecret) =>
      (
        window as never as {
          stripe: {
            handleNextAction: (
              given: object,
            ) => Promise<{ error?: { code: string }; paymentIntent?: { status: string } }>;
          };
        }
      ).stripe.handleNextAction({ clientSecret }),
    clientSecret,
  );

test('creates a token that can be charged from a card typed into the frame', async (fixture) => {
  const { stripe } = fixture;
  await openPage(fixture);
  const frame = await mountPaymentElement();
  await fillCard(frame, CARDS.good);
  const { confirmationToken } = await createToken();
  assert.deepEqual(
    [
      confirmationToken?.payment_method_preview.type,
      confirmationToken?.payment_method_preview.card?.wallet,
    ],
    ['card', null],
  );
  assert.ok(!(await page.content()).includes('4242'));
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  const { status, latest_charge } = await stripe.paymentIntents.confirm(id, {
    confirmation_token: confirmationToken!.id,
  });
  assert.equal(status, 'succeeded');
  assert.equal(
    (await stripe.charges.retrieve(latest_charge as string)).billing_details.name,
    'Ana Souza',
  );
  assert.deepEqual(await page.evaluate(() => (window as never as { changes: unknown[] }).changes), [
    [false, 'card'],
    [true, 'card'],
  ]);
});

test('shows validation errors in the frame and returns them to the page', async (fixture) => {
  await openPage(fixture);
  const frame = await mountPaymentElement();
  for (const [number, code] of [
    ['4242', 'incomplete_number'],
    ['4242424242424241', 'invalid_number'],
  ] as const) {
    await fillCard(frame, number);
    const { error } = await createToken();
    const field = frame.getByLabel('Card number');
    const description = await field.evaluate(
      (input) => document.getElementById(input.getAttribute('aria-describedby')!)!.textContent,
    );
    assert.deepEqual(
      [error?.type, error?.code, await field.getAttribute('aria-invalid'), description],
      ['validation_error', code, 'true', 'Check the card number.'],
    );
  }
  await fillCard(frame, '4111111111111111');
  assert.deepEqual((await createToken()).error?.code, 'card_declined');
});

test('offers a bank debit and a wallet according to the options', async (fixture) => {
  await openPage(fixture);
  const frame = await mountPaymentElement();
  await frame.getByLabel('Bank account').check();
  await frame.getByLabel('Account number').fill(BANKS.ach);
  assert.equal(
    (await createToken()).confirmationToken?.payment_method_preview.type,
    'us_bank_account',
  );
  await frame.getByLabel('Google Pay').check();
  assert.equal(
    (await createToken()).confirmationToken?.payment_method_preview.card?.wallet?.type,
    'google_pay',
  );
  await page.evaluate(() =>
    (window as never as { elements: { update: (options: object) => void } }).elements.update({
      amount: 9_000,
      currency: 'eur',
    }),
  );
  await frame.getByLabel('Bank account').waitFor({ state: 'detached' });
});

test('orders the methods and leaves out those that a subscription cannot use', async (fixture) => {
  await openPage(fixture);
  const listMethods = (frame: Frame) =>
    frame
      .getByRole('radio')
      .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
  const frame = await mountPaymentElement(
    {
      ...ELEMENTS_OPTIONS,
      currency: 'eur',
      allowedPaymentMethodTypes: ['card', 'paypal', 'eps', 'twint'],
    },
    { wallets: { googlePay: 'never' }, paymentMethodOrder: ['eps'] },
  );
  assert.deepEqual(await listMethods(frame), ['eps', 'card', 'paypal']);
  await page.evaluate(() =>
    (window as never as { elements: { update: (options: object) => void } }).elements.update({
      mode: 'subscription',
    }),
  );
  await frame.getByLabel('EPS').waitFor({ state: 'detached' });
  assert.deepEqual(await listMethods(frame), ['card', 'paypal']);
});

for (const [button, code, status] of [
  ['Complete', undefined, 'succeeded'],
  ['Fail', 'payment_intent_authentication_failure', undefined],
] as const) {
  test(`returns the result of the authentication frame after ${button}`, async (fixture) => {
    const { stripe } = fixture;
    await openPage(fixture);
    await fillCard(await mountPaymentElement(), CARDS.authenticated);
    const { confirmationToken } = await createToken();
    const { id, client_secret } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
    await stripe.paymentIntents.confirm(id, { confirmation_token: confirmationToken!.id });
    const result = handleNextAction(client_secret!);
    await page
      .frameLocator('[title="3D Secure authentication"]')
      .getByRole('button', { name: button })
      .click();
    const { error, paymentIntent } = await result;
    assert.deepEqual(
      [
        error?.code,
        paymentIntent?.status,
        await page.locator('[title="3D Secure authentication"]').count(),
      ],
      [code, status, 0],
    );
  });
}

test('redirects the page for a redirect method and returns with its status', async (fixture) => {
  const { stripe } = fixture;
  // Playwright's routes don't apply to redirects.
  const thanksPage = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await openPage(fixture);
  const frame = await mountPaymentElement({
    ...ELEMENTS_OPTIONS,
    currency: 'eur',
    allowedPaymentMethodTypes: ['card', 'ideal'],
  });
  await frame.getByLabel('iDEAL').check();
  const { confirmationToken } = await createToken();
  const { id, client_secret } = await stripe.paymentIntents.create({
    ...PAYMENT_PARAMS,
    currency: 'eur',
    allowed_payment_method_types: ['card', 'ideal'],
  });
  await stripe.paymentIntents.confirm(id, {
    confirmation_token: confirmationToken!.id,
    return_url: `${thanksPage.url}/thanks?form=main`,
  });
  void handleNextAction(client_secret!).catch(() => undefined);
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL(`${thanksPage.url}/thanks?**`);
  await thanksPage.close();
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    form: 'main',
    payment_intent: id,
    payment_intent_client_secret: client_secret,
    redirect_status: 'succeeded',
  });
});

test('rejects a shadow root and unknown options', async (fixture) => {
  await openPage(fixture);
  const messages = await page.evaluate((payment) => {
    const captureMessage = (callback: () => unknown): string => {
      try {
        callback();
      } catch (error) {
        return String(error);
      }
      return '';
    };
    const stripe = window.Stripe!('pk_test_fake');
    const root = document.querySelector('#shadow')!.attachShadow({ mode: 'open' });
    const container = document.createElement('div');
    root.append(container);
    return [
      captureMessage(() =>
        stripe
          .elements(payment as never)
          .create('payment')
          .mount(container),
      ),
      captureMessage(() => stripe.elements({ ...payment, currency: 'USD' } as never)),
      captureMessage(() => stripe.elements({ ...payment, amount: 0 } as never)),
      captureMessage(() => stripe.elements({ ...payment, paymentMethodTypes: ['card'] } as never)),
      captureMessage(() => window.Stripe!('sk_test_fake')),
    ];
  }, ELEMENTS_OPTIONS);
  assert.equal(
    messages[0],
    'IntegrationError: Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
  );
  for (const message of messages) assert.match(message, /^IntegrationError: /);
});

test("requires the intent's client secret for the authentication page", async (fixture) => {
  const { fake, stripe } = fixture;
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  assert.equal((await fetch(`${fake.url}/authenticate/${id}?client_secret=other`)).status, 404);
  await assert.rejects(stripe.paymentIntents.retrieve('pi_other'), { statusCode: 404 });
});

/** Mounts the Express Checkout Element, and opens a wallet with these details when it is pressed. */
const mountWalletButtons = (element: object, details: object): Promise<unknown> =>
  page.evaluate(
    ([payment, element, details]) =>
      new Promise((resolve) => {
        const stripe = window.Stripe!('pk_test_fake');
        const elements = stripe.elements({
          ...payment,
          allowedPaymentMethodTypes: ['card', 'link'],
        } as never);
        const mounted = elements.create('expressCheckout', element as never);
        Object.assign(window, { stripe, elements });
        mounted.on('ready', ({ availablePaymentMethods }) => resolve(availablePaymentMethods));
        mounted.on('click', (event) => event.resolve(details));
        mounted.on('confirm', (event) =>
          Object.assign(window, { confirmed: event.billingDetails }),
        );
        mounted.mount('#place');
      }),
    [ELEMENTS_OPTIONS, element, details],
  );

test('opens a wallet with the amount, and passes the details that the page requires', async (fixture) => {
  await openPage(fixture);
  const available = await mountWalletButtons(
    { emailRequired: true, paymentMethods: { link: 'never' } },
    { lineItems: [{ name: 'Gift', amount: 4_900 }] },
  );
  assert.deepEqual(available, {
    amazonPay: false,
    applePay: false,
    googlePay: true,
    klarna: false,
    link: false,
    paypal: false,
  });
  const sheet = page.frameLocator('iframe[title=Wallet]');
  await page.frameLocator('#place iframe').getByRole('button', { name: 'Google Pay' }).click();
  await sheet.getByText('$50.00').waitFor();
  await sheet.getByRole('button', { name: 'Pay' }).click();
  await page.waitForFunction(() => 'confirmed' in window);
  assert.deepEqual(
    await page.evaluate(() => (window as never as { confirmed: object }).confirmed),
    {
      email: 'ana@example.org',
    },
  );
  const { confirmationToken } = await createToken();
  const preview = confirmationToken?.payment_method_preview;
  assert.equal(preview?.card?.wallet?.type, 'google_pay');
  assert.equal(await page.locator('iframe[title=Wallet]').count(), 0);
});

test('reports that no wallet is available', async (fixture) => {
  await openPage(fixture);
  await page.evaluate(() => {
    window.stripeWallets = [];
  });
  assert.equal(await mountWalletButtons({}, {}), undefined);
});
