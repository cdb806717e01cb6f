import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';

const HOSTED_PAYMENT = {
  hosted: true,
  returnUrl: 'https://charity.example/give?a=1',
  description: 'Village wells <b>',
};
const createCardFields = (number: string) => ({
  method: 'card',
  number,
  expiry: '12 / 99',
  cvc: '123',
});
const createHostedPayment = (
  { createPayment }: ProcessorFixture,
  terms: Fields = {},
): Promise<Fields> => createPayment({ ...HOSTED_PAYMENT, ...terms });

test('serves a page at an unguessable URL for hosted payments only', async () => {
  const fixture = openProcessor();
  const { id, page } = await createHostedPayment(fixture, { frequency: 'monthly' });
  assert.match(String(page), /^http:\/\/127\.0\.0\.1:4102\/processor\/pay\/[\w-]{32}$/);
  const { status, headers, body } = await fixture.visitPage(page);
  const text = String(body);
  assert.equal(status, 200);
  for (const expected of [
    '$50.00 every month',
    'Village wells &lt;b&gt;',
    'Card number',
    'Account number',
    'No money moves',
    `href="https://charity.example/give?a=1&amp;payment=${String(id)}"`,
  ])
    assert.ok(text.includes(expected), expected);
  assert.doesNotMatch(text, /<script|<b>| style=/);
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'/,
  );
  const acting = await fixture.payWithCard(CARDS.requiringAuthentication);
  const other = (acting.action as { url: string }).url.replace('authenticate', 'pay');
  assert.deepEqual(
    [(await fixture.createPayment()).page, (await fixture.visitPage(other)).status],
    [null, 404],
  );
});

test('charges a card or debits an account, and returns to the site with the payment ID', async () => {
  const fixture = openProcessor();
  for (const [fields, state] of [
    [createCardFields(CARDS.succeeding), 'succeeded'],
    [createCardFields(CARDS.insufficientFunds), 'declined'],
    [{ method: 'bank', account: '000123456789', routing: '108800' }, 'pending'],
  ] as const) {
    const { id, page } = await createHostedPayment(fixture);
    const { status, body } = await fixture.visitPage(page, fields);
    assert.equal(status, 200);
    assert.ok(
      String(body).includes(
        `http-equiv="refresh" content="0;url=https://charity.example/give?a=1&amp;payment=${String(id)}"`,
      ),
    );
    assert.equal((await fixture.fetchPayment(id)).state, state);
    const again = await fixture.visitPage(page);
    assert.deepEqual(
      [again.status, again.headers.get('Location')],
      [303, `https://charity.example/give?a=1&payment=${String(id)}`],
    );
  }
});

test('explains invalid fields, charges nothing, and does not repeat the security code', async () => {
  const fixture = openProcessor();
  const { id, page } = await createHostedPayment(fixture);
  const { status, body } = await fixture.visitPage(page, {
    method: 'card',
    number: '4242 4242 4242 4241',
    expiry: '12 / 99',
    cvc: '987',
  });
  const text = String(body).replaceAll(/\s+/g, ' ');
  assert.equal(status, 400);
  assert.match(
    text,
    /role="alert"[^]*value="4242 4242 4242 4241" aria-invalid=true ><p id="number-error" class="error" >/,
  );
  assert.match(text, /<p id="number-error" class="error" >Check the card number\./);
  assert.doesNotMatch(text, /987/);
  assert.equal((await fixture.fetchPayment(id)).state, 'open');
});

test("redirects a card that requires authentication to the bank's page", async () => {
  const fixture = openProcessor();
  const { id, page } = await createHostedPayment(fixture);
  const { status, headers } = await fixture.visitPage(
    page,
    createCardFields(CARDS.requiringAuthentication),
  );
  assert.equal(status, 303);
  await fixture.visitPage(`http://127.0.0.1:4102${headers.get('Location')}`, { answer: 'confirm' });
  assert.equal((await fixture.fetchPayment(id)).state, 'succeeded');
});

test('charges once if the form is submitted again', async () => {
  const fixture = openProcessor();
  const { id, page } = await createHostedPayment(fixture);
  await fixture.visitPage(page, createCardFields(CARDS.succeeding));
  assert.equal((await fixture.visitPage(page, createCardFields(CARDS.declined))).status, 200);
  assert.equal((await fixture.fetchPayment(id)).lastFour, '4242');
});
