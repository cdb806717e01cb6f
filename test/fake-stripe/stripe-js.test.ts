import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium, type Browser, type Frame, type Page } from 'playwright';
import { chromium as options } from '../browsers.ts';
import { BANKS, CARDS, stripeJs } from './index.ts';
import { errorOf, GIFT, openDesk, type Desk } from './support.ts';

const SITE = 'https://give.example/';
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';
const PAYMENT = {
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

/** Opens a page anew that may load nothing but the script and what is the fake's. */
async function openPage({ fake }: Desk): Promise<void> {
  await page.unrouteAll();
  await page.route(SCRIPT, (route) =>
    route.fulfill({ body: stripeJs(fake.address), contentType: 'text/javascript' }),
  );
  await page.route(`${SITE}**`, (route) =>
    route.fulfill({
      body: `<!doctype html><title>Give</title><div id="place"></div><div id="shadow"></div><script src="${SCRIPT}"></script>`,
      contentType: 'text/html',
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src https://js.stripe.com; frame-src ${fake.address}; connect-src ${fake.address}`,
      },
    }),
  );
  await page.goto(SITE);
}

/** Mounts the element; what it tells is kept in `told`. */
async function mount(payment: object = PAYMENT, element: object = {}): Promise<Frame> {
  await page.evaluate(
    ([payment, element]) =>
      new Promise<void>((resolve) => {
        const stripe = window.Stripe!('pk_test_fake');
        const elements = stripe.elements(payment as never);
        const mounted = elements.create('payment', element as never);
        const told: unknown[] = [];
        mounted.on('change', ({ complete, value }) => told.push([complete, value.type]));
        mounted.on('ready', () => resolve());
        Object.assign(window, { stripe, elements, mounted, told });
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

const token = (): Promise<Token> =>
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

const handle = (clientSecret: string) =>
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

test('a card typed into the frame becomes a token that pays', async () => {
  await using desk = await openDesk();
  await openPage(desk);
  const frame = await mount();
  await fillCard(frame, CARDS.good);
  const { confirmationToken } = await token();
  assert.deepEqual(
    [
      confirmationToken?.payment_method_preview.type,
      confirmationToken?.payment_method_preview.card?.wallet,
    ],
    ['card', null],
  );
  assert.ok(!(await page.content()).includes('4242'));
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  const { status, latest_charge } = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: confirmationToken!.id,
  });
  assert.equal(status, 'succeeded');
  assert.equal(
    (await desk.stripe.charges.retrieve(latest_charge as string)).billing_details.name,
    'Ana Souza',
  );
  assert.deepEqual(await page.evaluate(() => (window as never as { told: unknown[] }).told), [
    [false, 'card'],
    [true, 'card'],
  ]);
});

test('what is missing or wrong is told in the frame, and to the page as an error', async () => {
  await using desk = await openDesk();
  await openPage(desk);
  const frame = await mount();
  for (const [number, code, message] of [
    ['4242', 'incomplete_number', 'Your card number is incomplete.'],
    ['4242424242424241', 'invalid_number', 'Your card number is invalid.'],
  ] as const) {
    await fillCard(frame, number);
    const { error } = await token();
    assert.deepEqual(
      [error?.type, error?.code, await frame.getByRole('alert').textContent()],
      ['validation_error', code, message],
    );
  }
  await fillCard(frame, '4111111111111111');
  assert.deepEqual((await token()).error?.code, 'card_declined');
});

test('a bank debit and a wallet are chosen where they are offered', async () => {
  await using desk = await openDesk();
  await openPage(desk);
  const frame = await mount();
  await frame.getByLabel('US bank account').check();
  await frame.getByLabel('Account number').fill(BANKS.ach);
  assert.equal((await token()).confirmationToken?.payment_method_preview.type, 'us_bank_account');
  await frame.getByLabel('Google Pay').check();
  assert.equal(
    (await token()).confirmationToken?.payment_method_preview.card?.wallet?.type,
    'google_pay',
  );
  await page.evaluate(() =>
    (window as never as { elements: { update: (options: object) => void } }).elements.update({
      amount: 9_000,
      currency: 'eur',
    }),
  );
  await frame.getByLabel('US bank account').waitFor({ state: 'detached' });
});

for (const [button, code, status] of [
  ['Complete', undefined, 'succeeded'],
  ['Fail', 'payment_intent_authentication_failure', undefined],
] as const) {
  test(`a card's holder answers ${button} above the page`, async () => {
    await using desk = await openDesk();
    await openPage(desk);
    await fillCard(await mount(), CARDS.authenticated);
    const { confirmationToken } = await token();
    const { id, client_secret } = await desk.stripe.paymentIntents.create(GIFT);
    await desk.stripe.paymentIntents.confirm(id, { confirmation_token: confirmationToken!.id });
    const answer = handle(client_secret!);
    await page
      .frameLocator('[title="3D Secure authentication"]')
      .getByRole('button', { name: button })
      .click();
    const { error, paymentIntent } = await answer;
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

test('a means that leads away takes the page along, and brings it back with what came of it', async () => {
  await using desk = await openDesk();
  await openPage(desk);
  const frame = await mount({
    ...PAYMENT,
    currency: 'eur',
    allowedPaymentMethodTypes: ['card', 'ideal'],
  });
  await frame.getByLabel('iDEAL').check();
  const { confirmationToken } = await token();
  const { id, client_secret } = await desk.stripe.paymentIntents.create({
    ...GIFT,
    currency: 'eur',
    allowed_payment_method_types: ['card', 'ideal'],
  });
  await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: confirmationToken!.id,
    return_url: `${SITE}thanks?form=main`,
  });
  void handle(client_secret!).catch(() => undefined);
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL(`${SITE}thanks?**`);
  assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
    form: 'main',
    payment_intent: id,
    payment_intent_client_secret: client_secret,
    redirect_status: 'succeeded',
  });
});

test('the element refuses a shadow root, and the script what it does not know', async () => {
  await using desk = await openDesk();
  await openPage(desk);
  const messages = await page.evaluate((payment) => {
    const said = (work: () => unknown): string => {
      try {
        work();
      } catch (error) {
        return String(error);
      }
      return '';
    };
    const stripe = window.Stripe!('pk_test_fake');
    const root = document.querySelector('#shadow')!.attachShadow({ mode: 'open' });
    const place = document.createElement('div');
    root.append(place);
    return [
      said(() =>
        stripe
          .elements(payment as never)
          .create('payment')
          .mount(place),
      ),
      said(() => stripe.elements({ ...payment, currency: 'USD' } as never)),
      said(() => stripe.elements({ ...payment, amount: 0 } as never)),
      said(() => stripe.elements({ ...payment, paymentMethodTypes: ['card'] } as never)),
      said(() => window.Stripe!('sk_test_fake')),
    ];
  }, PAYMENT);
  assert.equal(
    messages[0],
    'IntegrationError: Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
  );
  for (const message of messages) assert.match(message, /^IntegrationError: /);
});

test("an authentication page opens with the intent's secret only", async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  assert.equal(
    (await fetch(`${desk.fake.address}/authenticate/${id}?client_secret=other`)).status,
    404,
  );
  assert.equal((await errorOf(desk.stripe.paymentIntents.retrieve('pi_other'))).statusCode, 404);
});
