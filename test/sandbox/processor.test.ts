import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandbox } from '../../src/sandbox/index.ts';

function open() {
  const sandbox = createSandbox({ platformKey: 'key', secretKey: 'secret' });
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
    sandbox.fetch(new Request(`https://sandbox.test/processor${path}`, body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }));
  const token = async (number: string): Promise<string> => (await (await ask('/tokens', { publicKey: 'pk_sandbox', number, expiry: '1230', cvc: '123' })).json() as { token: string }).token;
  const charge = async (key: string, request: object): Promise<Response> => ask('/charges', request, { Authorization: 'Bearer secret', 'Idempotency-Key': key });
  return { ask, token, charge };
}
const gift = { reference: 'R1', amount: 5_000, currency: 'USD', frequency: 'once' };

test('a key charges once, keeps its first result, and refuses another request', async () => {
  const { token, charge } = open();
  const request = { ...gift, token: await token('4242424242424242') };
  const first: unknown = await (await charge('R1', request)).json();
  assert.deepEqual(await (await charge('R1', request)).json(), first);
  assert.equal((await charge('R1', { ...request, amount: 6_000 })).status, 409);
});

test('a token works once', async () => {
  const { token, charge } = open();
  const used = await token('4242424242424242');
  assert.equal((await charge('R1', { ...gift, token: used })).status, 200);
  assert.equal((await charge('R2', { ...gift, reference: 'R2', token: used })).status, 400);
});

test('test cards succeed and decline as they say; any other number is declined', async () => {
  const { token, charge } = open();
  for (const [number, state, code] of [['4242424242424242', 'succeeded', null], ['4000000000000002', 'declined', 'decline'], ['4000000000009995', 'declined', 'insufficient-funds'], ['4111111111111111', 'declined', 'decline']] as const) {
    const { state: found, declineCode } = await (await charge(number, { ...gift, reference: number, token: await token(number) })).json() as { state: string; declineCode: string | null };
    assert.deepEqual([found, declineCode], [state, code], number);
  }
});

test('the card frame has a strict policy, and its keys are checked', async () => {
  const { ask } = open();
  assert.match((await ask('/card-frame')).headers.get('Content-Security-Policy') ?? '', /default-src 'none'.*trusted-types 'none'/);
  assert.equal((await ask('/tokens', { publicKey: 'other', number: '4242424242424242' })).status, 401);
  assert.equal((await ask('/charges', gift, { 'Idempotency-Key': 'R1' })).status, 401);
  assert.equal((await ask('/charges?reference=R1')).status, 401);
});
