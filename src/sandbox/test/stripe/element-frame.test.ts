import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type Browser, chromium, type Frame, type Page } from 'playwright';
import { chromium as options } from '../../../../test/browsers.ts';
import { CARDS } from '../../../../test/fake-stripe.ts';
import { listen } from '../../../server/http/listen.ts';
import { createSandbox, parseFault } from '../../index.ts';

const SITE = 'https://give.example/';
const ELEMENTS_OPTIONS = {
  mode: 'payment',
  amount: 5_000,
  currency: 'usd',
  allowedPaymentMethodTypes: ['card', 'us_bank_account', 'paypal'],
} as const;

let browser: Browser;
before(async () => {
  browser = await chromium.launch(options);
});
after(() => browser.close());

interface ElementPage extends AsyncDisposable {
  readonly page: Page;
  /** URL of the emulator. */
  readonly stripeUrl: string;
  /** URLs that the page and its frames requested. */
  readonly requests: string[];
}

/** Opens a page of another origin that loads Stripe.js from a sandbox. */
async function openPage(faults: readonly string[] = [], body = ''): Promise<ElementPage> {
  const sandbox = createSandbox({
    platformKey: 'key',
    faults: faults.map(parseFault),
  });
  const { url, close } = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(url)) requests.push(request.url().slice(url.length));
  });
  const stripeUrl = `${url}/stripe`;
  await page.route(SITE, (route) =>
    route.fulfill({
      body: `<!doctype html><title>Give</title><form id="host" onsubmit="event.preventDefault(); window.submits = (window.submits ?? 0) + 1"><div id="place"></div></form>${body}<script async src="${stripeUrl}/stripe.js" onload="window.loaded = true" onerror="window.blocked = true"></script>`,
      contentType: 'text/html',
    }),
  );
  await page.goto(SITE, { waitUntil: 'commit' });
  return {
    page,
    stripeUrl,
    requests,
    async [Symbol.asyncDispose]() {
      await context.close();
      await close();
      sandbox.close();
    },
  };
}

async function mountElement(page: Page, settings: object = {}): Promise<Frame> {
  await page.waitForFunction(() => 'loaded' in window);
  await page.evaluate(
    (settings) =>
      new Promise<void>((resolve) => {
        const stripe = window.Stripe!('pk_test_sandbox');
        const elements = stripe.elements(settings as never);
        const element = elements.create('payment');
        element.on('ready', () => resolve());
        Object.assign(window, { stripe, elements });
        element.mount('#place');
      }),
    { ...ELEMENTS_OPTIONS, ...settings },
  );
  return page.frames().find((frame) => frame.url().includes('/elements'))!;
}

interface StripeResult {
  readonly error?: { readonly code?: string };
  readonly confirmationToken?: { readonly id: string };
}

const createToken = (page: Page): Promise<{ id?: string; code?: string }> =>
  page.evaluate(async () => {
    const { stripe, elements } = window as unknown as {
      stripe: { createConfirmationToken(options: object): Promise<StripeResult> };
      elements: { submit(): Promise<StripeResult> };
    };
    const submission = await elements.submit();
    if (submission.error) return { code: submission.error.code ?? '' };
    const { confirmationToken, error } = await stripe.createConfirmationToken({ elements });
    return confirmationToken ? { id: confirmationToken.id } : { code: error?.code ?? '' };
  });

async function fillCard(frame: Frame, number: string): Promise<void> {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill('12 / 34');
  await frame.getByLabel('Security code').fill('123');
}

test('creates a token in a frame of the sandbox, and shows the page no card number', async () => {
  await using fixture = await openPage();
  const frame = await mountElement(fixture.page);
  assert.equal(new URL(frame.url()).origin, new URL(fixture.stripeUrl).origin);
  await fillCard(frame, CARDS.good);
  assert.match((await createToken(fixture.page)).id ?? '', /^ctoken_/);
  assert.doesNotMatch(await fixture.page.content(), /4242/);
});

test('shows an error next to each incomplete field, and focuses the first field', async () => {
  await using fixture = await openPage();
  const frame = await mountElement(fixture.page);
  assert.deepEqual(await createToken(fixture.page), { code: 'incomplete_number' });
  const readError = (label: string): Promise<unknown[]> =>
    frame
      .getByLabel(label)
      .evaluate((input) => [
        input.ariaInvalid,
        document.getElementById(input.getAttribute('aria-describedby')!)!.textContent,
      ]);
  assert.deepEqual(await readError('Card number'), ['true', 'Check the card number.']);
  assert.deepEqual(await readError('Expiration date'), [
    'true',
    'Enter the month and year, such as 09 / 29.',
  ]);
  await frame.getByLabel('Card number').pressSequentially(CARDS.good);
  assert.equal(await frame.getByLabel('Card number').inputValue(), '4242 4242 4242 4242');
  assert.deepEqual(await readError('Card number'), ['false', '']);
});

test('has no accessibility violations, with and without errors', async () => {
  await using fixture = await openPage();
  const frame = await mountElement(fixture.page);
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  const findViolations = (): Promise<string[]> =>
    frame.evaluate(async () => {
      const { violations } = await (
        window as unknown as {
          axe: { run: (options: object) => Promise<{ violations: { id: string }[] }> };
        }
      ).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
      return violations.map(({ id }) => id);
    });
  await frame.evaluate(axe);
  assert.deepEqual(await findViolations(), []);
  await createToken(fixture.page);
  assert.deepEqual(await findViolations(), []);
});

test("uses the page's language, direction, and appearance", async () => {
  await using fixture = await openPage([], '<style>#place { direction: rtl }</style>');
  const frame = await mountElement(fixture.page, {
    locale: 'ar',
    appearance: {
      theme: 'night',
      variables: { colorText: 'rgb(1, 2, 3)', borderRadius: '7px' },
      rules: { '.Input': { border: '1px solid rgba(9, 8, 7, 1)' } },
    },
  });
  const styles = await frame.getByLabel('رقم البطاقة').evaluate((input) => {
    const { direction, colorScheme } = getComputedStyle(document.documentElement);
    const { borderRadius, borderTopColor, color } = getComputedStyle(input);
    return [
      direction,
      colorScheme,
      borderRadius,
      borderTopColor,
      color,
      document.documentElement.lang,
    ];
  });
  assert.deepEqual(styles, ['rtl', 'dark', '7px', 'rgb(9, 8, 7)', 'rgb(1, 2, 3)', 'ar']);
});

test('Enter in a field submits the form around the element', async () => {
  await using fixture = await openPage();
  const frame = await mountElement(fixture.page);
  await frame.getByLabel('Card number').press('Enter');
  await fixture.page.waitForFunction(() => 'submits' in window);
});

test('offers several methods, and shows only the fields of the selected one', async () => {
  await using fixture = await openPage();
  const frame = await mountElement(fixture.page);
  await frame.getByLabel('Bank account').check();
  assert.equal(await frame.getByLabel('Card number').isVisible(), false);
  await frame.getByLabel('Account number').fill('000123456789');
  assert.match((await createToken(fixture.page)).id ?? '', /^ctoken_/);
  await frame.getByLabel('PayPal').check();
  assert.equal(await frame.getByText('You will confirm the payment').isVisible(), true);
  assert.match((await createToken(fixture.page)).id ?? '', /^ctoken_/);
});

test('stripe-js-blocked and stripe-js-hangs: the script does not load', async () => {
  await using blocked = await openPage(['stripe-js-blocked']);
  await blocked.page.waitForFunction(() => 'blocked' in window);
  await using hanging = await openPage(['stripe-js-hangs']);
  await hanging.page.waitForTimeout(300);
  assert.deepEqual(await hanging.page.evaluate(() => ['loaded' in window, 'blocked' in window]), [
    false,
    false,
  ]);
});

test('stripe-js-slow: the script loads late', async () => {
  const start = performance.now();
  await using fixture = await openPage(['stripe-js-slow,ms=400']);
  await fixture.page.waitForFunction(() => 'loaded' in window);
  assert.ok(performance.now() - start >= 400);
});

test('stripe-js-rejects and stripe-js-silent: calls reject or stay pending', async () => {
  await using rejecting = await openPage(['stripe-js-rejects']);
  await mountElement(rejecting.page);
  await assert.rejects(createToken(rejecting.page), /submit fails on purpose/);
  await using silent = await openPage(['stripe-js-silent']);
  await mountElement(silent.page);
  const answered = await Promise.race([
    createToken(silent.page).catch(() => 'closed'),
    silent.page.waitForTimeout(300),
  ]);
  assert.equal(answered, undefined);
});

test('stripe-js-heavy: loads 200 kB in three scripts and two frames', async () => {
  const sizes = new Map<string, number>();
  await using fixture = await openPage(['stripe-js-heavy']);
  const { page, stripeUrl } = fixture;
  await mountElement(page);
  for (const path of ['stripe.js', 'elements.js?heavy', 'controller.js'])
    sizes.set(path, (await (await fetch(`${stripeUrl}/${path}`)).text()).length);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(total > 195_000 && total < 205_000, `${total} bytes`);
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 2);
  assert.deepEqual(fixture.requests.filter((path) => path.includes('.js')).sort(), [
    '/stripe/controller.js',
    '/stripe/elements.js?heavy',
    '/stripe/stripe.js',
  ]);
});

test('no-wallets: the Express Checkout Element has no buttons', async () => {
  await using fixture = await openPage(['no-wallets']);
  await fixture.page.waitForFunction(() => 'loaded' in window);
  assert.deepEqual(
    await fixture.page.evaluate(() => (window as { stripeWallets?: unknown }).stripeWallets),
    [],
  );
});
