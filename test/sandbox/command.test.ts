import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { startWebhookListener } from './webhook-listener.ts';
import { CARDS, PAYMENT_REQUEST } from './processor-support.ts';

/** Starts the command and returns its startup output. */
async function startSandboxCommand(
  t: TestContext,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(
    process.execPath,
    ['dist/donation-form-server/lib/cli.js', 'sandbox', '--empty', '--port', '0', ...options],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGINT'));
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('read key')) break;
  }
  return output;
}

test('--webhook-url receives webhooks signed with the printed or configured secret', async (t) => {
  await using listener = await startWebhookListener();
  for (const environment of [{}, { SANDBOX_WEBHOOK_SECRET: 'a secret of its own' }]) {
    const output = await startSandboxCommand(t, ['--webhook-url', `${listener.url}/in`], {
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
    const { token } = await call('/tokens', { publicKey: 'pk_sandbox', number: CARDS.succeeding });
    const { id } = await call('/payments', PAYMENT_REQUEST);
    await call(`/payments/${id}/confirm`, { token });
    const received = (await listener.waitForRequests(1)).splice(0)[0]!;
    const [, time = '', signature] =
      /^t=(\d+),v1=(.*)$/.exec(String(received.headers['sandbox-signature'])) ?? [];
    assert.equal(
      signature,
      createHmac('sha256', secret).update(`${time}.${received.body}`).digest('hex'),
    );
  }
});
