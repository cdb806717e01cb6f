import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';

const RETURN_URL = 'https://charity.example/give?form=general#thanks';

async function payWithAuthentication(
  { createPayment, confirmWithCard }: ProcessorFixture,
  terms: Fields = {},
  confirmation: Fields = { returnUrl: RETURN_URL },
): Promise<Fields & { action: { url: string } }> {
  return (
    await confirmWithCard(
      (await createPayment(terms)).id,
      CARDS.requiringAuthentication,
      confirmation,
    )
  ).body as Fields & {
    action: { url: string };
  };
}

test("shows the bank's page at an unguessable URL for a card that requires authentication", async () => {
  const fixture = openProcessor();
  const payment = await payWithAuthentication(fixture);
  assert.equal(payment.state, 'action');
  assert.match(
    payment.action.url,
    /^http:\/\/127\.0\.0\.1:4102\/processor\/authenticate\/[\w-]{32}$/,
  );
  const { status, headers, body } = await fixture.visitPage(payment.action.url);
  assert.equal(status, 200);
  assert.match(String(body), /Confirm this payment\?[^]*\$50\.00[^]*•••• 3184/);
  assert.match(
    headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'/,
  );
  assert.equal((await fixture.visitPage('/processor/authenticate/none')).status, 404);
});

test('charges or declines after the answer, and returns to the site with only the payment ID', async () => {
  const fixture = openProcessor();
  for (const [answer, state, code] of [
    ['confirm', 'succeeded', null],
    ['refuse', 'declined', 'authentication-refused'],
  ] as const) {
    const {
      id,
      action: { url },
    } = await payWithAuthentication(fixture);
    const { status, body } = await fixture.visitPage(url, { answer });
    assert.equal(status, 200);
    assert.ok(
      String(body).includes(
        'http-equiv="refresh" ' +
          `content="0;url=https://charity.example/give?form=general&amp;payment=${String(id)}#thanks"`,
      ),
    );
    const after = await fixture.fetchPayment(id);
    assert.deepEqual([after.state, after.declineCode, after.action], [state, code, null]);
  }
});

test('ignores later answers and redirects to the site', async () => {
  const fixture = openProcessor();
  const {
    id,
    action: { url },
  } = await payWithAuthentication(fixture, { returnUrl: 'https://charity.example/give' }, {});
  assert.equal((await fixture.visitPage(url, { answer: 'maybe' })).status, 400);
  await fixture.visitPage(url, { answer: 'confirm' });
  await fixture.visitPage(url, { answer: 'refuse' });
  const { status, headers } = await fixture.visitPage(url);
  assert.deepEqual(
    [status, headers.get('Location')],
    [303, `https://charity.example/give?payment=${String(id)}`],
  );
  assert.equal((await fixture.fetchPayment(id)).state, 'succeeded');
});

test('shows a final page if there is no return URL', async () => {
  const fixture = openProcessor();
  const {
    action: { url },
  } = await payWithAuthentication(fixture, {}, {});
  assert.match(
    String((await fixture.visitPage(url, { answer: 'confirm' })).body),
    /You can close this page/,
  );
});
