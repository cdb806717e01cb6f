import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { startListener } from './listener.ts';
import { CARDS, TERMS } from './processor-support.ts';

/** Starts the command, and reads what it prints until all is there. */
async function start(
  t: TestContext,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(
    process.execPath,
    ['dist/donation-form-server/lib/cli.js', 'sandbox', '--empty', '--port', '0', ...words],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGINT'));
  let output = '';
  for await (const piece of child.stdout) {
    output += String(piece);
    if (output.includes('read key')) break;
  }
  return output;
}

test('--processor-webhook tells an address, signed with the secret that is printed or set', async (t) => {
  await using listener = await startListener();
  for (const environment of [{}, { SANDBOX_WEBHOOK_SECRET: 'a secret of its own' }]) {
    const output = await start(t, ['--processor-webhook', `${listener.address}/in`], {
      SANDBOX_SECRET_KEY: 'secret',
      ...environment,
    });
    const [, address = ''] = /^sandbox +(\S+)/m.exec(output) ?? [];
    const [, secret = ''] = /^webhook secret +(.+?) {3}/m.exec(output) ?? [];
    if ('SANDBOX_WEBHOOK_SECRET' in environment)
      assert.equal(secret, environment.SANDBOX_WEBHOOK_SECRET);
    const call = async (path: string, body: object): Promise<Record<string, string>> =>
      (
        await fetch(`${address}/processor${path}`, {
          method: 'POST',
          headers: { Authorization: 'Bearer secret', 'Idempotency-Key': 'K1' },
          body: JSON.stringify(body),
        })
      ).json() as Promise<Record<string, string>>;
    const { token } = await call('/tokens', { publicKey: 'pk_sandbox', number: CARDS.good });
    const { id } = await call('/payments', TERMS);
    await call(`/payments/${id}/confirm`, { token });
    const heard = (await listener.hear(1)).splice(0)[0]!;
    const [, time = '', signature] =
      /^t=(\d+),v1=(.*)$/.exec(String(heard.headers['sandbox-signature'])) ?? [];
    assert.equal(
      signature,
      createHmac('sha256', secret).update(`${time}.${heard.body}`).digest('hex'),
    );
  }
});
