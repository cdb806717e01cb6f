import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';

const BACK = 'https://charity.example/give?form=general#thanks';

async function ask(
  { open, confirm }: OpenedProcessor,
  terms: Fields = {},
  confirmation: Fields = { returnUrl: BACK },
): Promise<Fields & { action: { url: string } }> {
  return (await confirm((await open(terms)).id, CARDS.asking, confirmation)).body as Fields & {
    action: { url: string };
  };
}

test('a card that asks for more gets a page of the bank, at an address that nobody guesses', async () => {
  const opened = openProcessor();
  const payment = await ask(opened);
  assert.equal(payment.state, 'action');
  assert.match(
    payment.action.url,
    /^http:\/\/127\.0\.0\.1:4102\/processor\/authenticate\/[\w-]{32}$/,
  );
  const { status, headers, body } = await opened.visit(payment.action.url);
  assert.equal(status, 200);
  assert.match(String(body), /Do you confirm this payment\?[^]*\$50\.00[^]*•••• 3184/);
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'/,
  );
  assert.equal((await opened.visit('/processor/authenticate/none')).status, 404);
});

test("Confirm succeeds, Refuse declines, and both lead back with the payment's id and nothing secret", async () => {
  const opened = openProcessor();
  for (const [answer, state, code] of [
    ['confirm', 'succeeded', null],
    ['refuse', 'declined', 'authentication-refused'],
  ] as const) {
    const {
      id,
      action: { url },
    } = await ask(opened);
    const { status, body } = await opened.visit(url, { answer });
    assert.equal(status, 200);
    assert.ok(
      String(body).includes(
        `http-equiv="refresh" content="0;url=https://charity.example/give?form=general&amp;payment=${String(id)}#thanks"`,
      ),
    );
    const after = await opened.payment(id);
    assert.deepEqual([after.state, after.declineCode, after.action], [state, code, null]);
  }
});

test('after the decision the page only leads back, whatever is asked of it', async () => {
  const opened = openProcessor();
  const {
    id,
    action: { url },
  } = await ask(opened, { returnUrl: 'https://charity.example/give' }, {});
  assert.equal((await opened.visit(url, { answer: 'maybe' })).status, 400);
  await opened.visit(url, { answer: 'confirm' });
  await opened.visit(url, { answer: 'refuse' });
  const { status, headers } = await opened.visit(url);
  assert.deepEqual(
    [status, headers.get('Location')],
    [303, `https://charity.example/give?payment=${String(id)}`],
  );
  assert.equal((await opened.payment(id)).state, 'succeeded');
});

test('without an address to lead back to, the page says that all is done', async () => {
  const opened = openProcessor();
  const {
    action: { url },
  } = await ask(opened, {}, {});
  assert.match(
    String((await opened.visit(url, { answer: 'confirm' })).body),
    /You can close this page/,
  );
});
