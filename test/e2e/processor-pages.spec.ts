import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { createSandbox, STRIPE_SECRET_KEY } from '../../src/sandbox/index.ts';
import { listen } from '../../src/server/http/listen.ts';
import { expect, test as base } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Processor {
  readonly url: string;
  call(path: string, body?: Fields): Promise<Record<string, unknown>>;
  /** Opens a page that contains the card frame and records its messages. */
  open(page: Page, methods?: readonly string[]): Promise<void>;
}

const SECRET = 'canary-secret-key';
const SITE = 'https://site.test';

const test = base.extend<{ processor: Processor }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  processor: async ({}, use) => {
    const sandbox = createSandbox({ platformKey: 'canary-platform-key', secretKey: SECRET });
    const listening = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
    const { url } = listening;
    let keys = 0;
    await use({
      url,
      call: async (path, body) =>
        (
          await fetch(`${url}/processor${path}`, {
            headers: { Authorization: `Bearer ${SECRET}`, 'Idempotency-Key': String((keys += 1)) },
            ...(body && { method: 'POST', body: JSON.stringify(body) }),
          })
        ).json() as Promise<Record<string, unknown>>,
      open: async (page, methods) => {
        await page.route(`${url}/site`, (route) =>
          route.fulfill({
            contentType: 'text/html',
            body:
              '<!doctype html><html lang="en"><title>Give</title><main><h1>Give</h1><iframe ' +
              'title="Payment" style="width: 100%" ' +
              `src="${url}/processor/card-frame"></iframe></main>`,
          }),
        );
        await page.goto(`${url}/site`);
        await page.evaluate(async (offeredMethods) => {
          const frame = document.querySelector('iframe')!;
          const messages: unknown[] = [];
          Object.assign(window, {
            messages,
            postToFrame: (message: object) => frame.contentWindow!.postMessage(message, '*'),
          });
          const ready = new Promise<void>((resolve) => {
            addEventListener(
              'message',
              ({ data }: MessageEvent<{ type: string; height: number }>) => {
                messages.push(data);
                if (data.type === 'ready') resolve();
                if (data.type === 'size') frame.style.height = `${data.height}px`;
              },
            );
          });
          frame.contentWindow!.postMessage(
            {
              type: 'open',
              publicKey: 'pk_sandbox',
              language: 'en',
              ...(offeredMethods && { methods: offeredMethods }),
            },
            '*',
          );
          await ready;
        }, methods);
      },
    });
    await listening.close();
    sandbox.close();
  },
});

const findFrame = (page: Page) => page.frameLocator('iframe');
const postToFrame = (page: Page, message: object): Promise<void> =>
  page.evaluate(
    (data) => (window as unknown as { postToFrame: (message: object) => void }).postToFrame(data),
    message,
  );
const listFrameMessages = (page: Page): Promise<Record<string, unknown>[]> =>
  page.evaluate(() => (window as unknown as { messages: Record<string, unknown>[] }).messages);

async function expectAccessible(page: Page): Promise<void> {
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  for (const frame of page.frames()) await frame.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const {
      axe: { run },
    } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (
      await run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    ).violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(violations).toEqual([]);
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expires').fill('12 / 30');
  await page.getByLabel('Security code').fill('123');
}

const TERMS = {
  reference: 'R1',
  amount: 5_181,
  currency: 'USD',
  frequency: 'monthly',
  email: 'ana@example.org',
  description: 'Village wells',
  returnUrl: `${SITE}/give?form=general`,
};

test('the frame offers only cards unless the page requests more', async ({ page, processor }) => {
  await processor.open(page);
  await expect(findFrame(page).getByLabel('Card number')).toBeVisible();
  await expect(findFrame(page).getByRole('radio')).toHaveCount(0);
  await processor.open(page, ['bank']);
  await expect(findFrame(page).getByLabel('Account number')).toBeVisible();
  await expect(findFrame(page).getByRole('radio')).toHaveCount(0);
});

test("with two payment methods, the frame reports height changes and the token's method", async ({
  page,
  processor,
}) => {
  await processor.open(page, ['card', 'bank']);
  await expect(
    findFrame(page)
      .getByRole('group', { name: 'Payment method' })
      .getByRole('radio', { name: 'Card' }),
  ).toBeChecked();
  await expectAccessible(page);
  await findFrame(page).getByLabel('Bank account').check();
  await expect(findFrame(page).getByLabel('Card number')).toBeHidden();
  const height = (await listFrameMessages(page))
    .filter(({ type }) => type === 'size')
    .at(-1)?.height;
  expect(height).toBe(
    await findFrame(page)
      .locator('form')
      .evaluate((form) => form.getBoundingClientRect().height),
  );
  await postToFrame(page, { type: 'tokenize', id: 'wrong' });
  await expect(findFrame(page).getByLabel('Account number')).toHaveAccessibleDescription(
    'Enter the 8 to 17 digits of the account number.',
  );
  await expect
    .poll(
      async () =>
        (await listFrameMessages(page)).filter(({ type }) => type === 'size').at(-1)?.height,
    )
    .toBeGreaterThan(Number(height));
  await expectAccessible(page);
  await findFrame(page).getByLabel('Account number').pressSequentially('00a0123456789');
  await findFrame(page).getByLabel('Routing number or sort code').pressSequentially('10-88-00');
  await expect(findFrame(page).getByLabel('Account number')).toHaveValue('000123456789');
  await postToFrame(page, { type: 'tokenize', id: 'right' });
  await expect
    .poll(async () => (await listFrameMessages(page)).at(-1))
    .toEqual({ type: 'token', id: 'right', token: expect.stringMatching(/^tok_/), method: 'bank' });
  await findFrame(page).getByLabel('Card', { exact: true }).check();
  await postToFrame(page, { type: 'tokenize', id: 'card' });
  await expect(findFrame(page).getByLabel('Card number')).toHaveAccessibleDescription(
    'Check the card number.',
  );
  expect(
    (await listFrameMessages(page)).some(({ type, id }) => type === 'incomplete' && id === 'card'),
  ).toBe(true);
});

test('the payment page charges a card after bank authentication and returns to the site', async ({
  page,
  processor,
}) => {
  await page.route(`${SITE}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Site</title>' }),
  );
  const { id, page: paymentPage } = await processor.call('/payments', { ...TERMS, hosted: true });
  await page.goto(String(paymentPage));
  await expect(page.getByLabel('Account number')).toBeHidden();
  await expectAccessible(page);
  await page.getByLabel('Bank account').check();
  await expect(page.getByLabel('Card number')).toBeHidden();
  await page.getByLabel('Card', { exact: true }).check();
  await page.getByRole('button', { name: 'Pay $51.81' }).click();
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(
    'Check the card number.',
  );
  await expectAccessible(page);
  await fillCard(page, '4000 0027 6000 3184');
  await page.getByRole('button', { name: 'Pay $51.81' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm this payment?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(`${SITE}/give?form=general&payment=${String(id)}`);
  expect((await processor.call(`/payments/${String(id)}`)).state).toBe('succeeded');
});

test('a donor opens the customer portal from an email, changes the card, and cancels', async ({
  page,
  processor,
}) => {
  const { id, subscription } = await processor.call('/payments', TERMS);
  const { token } = await processor.call('/tokens', {
    publicKey: 'pk_sandbox',
    number: '4000000000000341',
  });
  await processor.call(`/payments/${String(id)}/confirm`, { token });
  await page.goto(`${processor.url}/processor/portal`);
  await expectAccessible(page);
  await page.getByLabel('Email').fill('ana@example.org');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(
    page.getByText(
      'If there is a recurring gift with this email address, we have sent you a link.',
    ),
  ).toBeVisible();
  await page.goto(processor.url);
  await expectAccessible(page);
  await page.getByRole('region', { name: 'Emails (not sent)' }).getByRole('link').click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Change card' }).click();
  await fillCard(page, '4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Change card' }).click();
  await expect(page.getByText('•••• 4242')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel gift' }).click();
  await expect(page.getByText('You have no recurring gifts.')).toBeVisible();
  expect((await processor.call(`/subscriptions/${String(subscription)}`)).state).toBe('cancelled');
});

test('an operator refunds part of a payment in the sandbox console', async ({
  page,
  processor,
}) => {
  const response = await fetch(`${processor.url}/stripe/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({
      amount: '5000',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_visa',
      return_url: 'https://give.example/',
    }),
  });
  expect(response.status).toBe(200);
  await page.goto(processor.url);
  await page.getByText('Actions').click();
  await page.getByLabel('Amount to refund in USD').fill('12.50');
  await page.getByRole('button', { name: 'Refund part' }).click();
  await expect(page.getByText('$12.50 refunded')).toBeVisible();
});
