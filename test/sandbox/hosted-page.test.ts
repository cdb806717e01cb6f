import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';

const TERMS = {
  hosted: true,
  returnUrl: 'https://charity.example/give?a=1',
  description: 'Village wells <b>',
};
const card = (number: string) => ({ way: 'card', number, expiry: '12 / 99', cvc: '123' });
const hosted = ({ open }: OpenedProcessor, terms: Fields = {}): Promise<Fields> =>
  open({ ...TERMS, ...terms });

test('a hosted payment has a page at an address that nobody guesses, and others have none', async () => {
  const opened = openProcessor();
  const { id, page } = await hosted(opened, { frequency: 'monthly' });
  assert.match(String(page), /^http:\/\/127\.0\.0\.1:4102\/processor\/pay\/[\w-]{32}$/);
  const { status, headers, body } = await opened.visit(page);
  const text = String(body);
  assert.equal(status, 200);
  for (const words of [
    '$50.00 every month',
    'Village wells &lt;b&gt;',
    'Card number',
    'Account number',
    'No money moves here',
    `href="https://charity.example/give?a=1&amp;payment=${String(id)}"`,
  ])
    assert.ok(text.includes(words), words);
  assert.doesNotMatch(text, /<script|<b>| style=/);
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'/,
  );
  const acting = await opened.pay(CARDS.asking);
  const other = (acting.action as { url: string }).url.replace('authenticate', 'pay');
  assert.deepEqual([(await opened.open()).page, (await opened.visit(other)).status], [null, 404]);
});

test("paying there charges the card or debits the account, and leads back with the payment's id", async () => {
  const opened = openProcessor();
  for (const [fields, state] of [
    [card(CARDS.good), 'succeeded'],
    [card(CARDS.poor), 'declined'],
    [{ way: 'bank', account: '000123456789', routing: '108800' }, 'pending'],
  ] as const) {
    const { id, page } = await hosted(opened);
    const { status, body } = await opened.visit(page, fields);
    assert.equal(status, 200);
    assert.ok(
      String(body).includes(
        `http-equiv="refresh" content="0;url=https://charity.example/give?a=1&amp;payment=${String(id)}"`,
      ),
    );
    assert.equal((await opened.payment(id)).state, state);
    const again = await opened.visit(page);
    assert.deepEqual(
      [again.status, again.headers.get('Location')],
      [303, `https://charity.example/give?a=1&payment=${String(id)}`],
    );
  }
});

test('what is wrong is marked and explained, nothing is charged, and the security code is not shown again', async () => {
  const opened = openProcessor();
  const { id, page } = await hosted(opened);
  const { status, body } = await opened.visit(page, {
    way: 'card',
    number: '4242 4242 4242 4241',
    expiry: '12 / 99',
    cvc: '987',
  });
  const text = String(body);
  assert.equal(status, 400);
  assert.match(
    text,
    /role="alert"[^]*value="4242 4242 4242 4241" aria-invalid=true><p id="number-error" class="error" >/,
  );
  assert.match(text, /<p id="number-error" class="error" >Check the card number\./);
  assert.doesNotMatch(text, /987/);
  assert.equal((await opened.payment(id)).state, 'open');
});

test("a card that asks for more leads on to the bank's page", async () => {
  const opened = openProcessor();
  const { id, page } = await hosted(opened);
  const { status, headers } = await opened.visit(page, card(CARDS.asking));
  assert.equal(status, 303);
  await opened.visit(`http://127.0.0.1:4102${headers.get('Location')}`, { answer: 'confirm' });
  assert.equal((await opened.payment(id)).state, 'succeeded');
});

test('a payment is made once, whatever is sent again', async () => {
  const opened = openProcessor();
  const { id, page } = await hosted(opened);
  await opened.visit(page, card(CARDS.good));
  assert.equal((await opened.visit(page, card(CARDS.declined))).status, 200);
  assert.equal((await opened.payment(id)).lastFour, '4242');
});
