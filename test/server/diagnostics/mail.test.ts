import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { checkMail } from '../../../src/server/diagnostics/mail.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestMail } from '../mail/support.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const dkimKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const record = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

async function runCheck(port: number, records: Readonly<Record<string, string | Error>>) {
  const results = await checkMail(
    {
      id: 'lanternwell',
      mail: createTestMail(port),
      configuration: {
        host: '127.0.0.1',
        port,
        from: 'giving@lanternwell.example',
        dkim: { selector: 'donations', privateKey: { env: 'KEY' } },
      },
      dkimKey,
    },
    async (name) => {
      const found = records[name] ?? Object.assign(new Error(), { code: 'ENOTFOUND' });
      if (found instanceof Error) throw found;
      // DNS splits texts of over 255 characters.
      return [['google-site-verification=x'], found.match(/.{1,255}/g)!];
    },
  );
  return results.map(({ name, status, message }) => [name, status, message] as const);
}

test('passes if the server can sign in and all records exist', async () => {
  await using smtp = await startSmtpServer();
  const results = await runCheck(smtp.port, {
    'lanternwell.example': 'v=spf1 include:example.net ~all',
    '_dmarc.lanternwell.example': 'v=DMARC1; p=none',
    'donations._domainkey.lanternwell.example': `v=DKIM1; k=rsa; p=${record}`,
  });
  assert.deepEqual(
    results.map(([name, status]) => [name, status]),
    [
      ['mail for lanternwell', 'pass'],
      ['SPF for lanternwell.example', 'pass'],
      ['DMARC for lanternwell.example', 'pass'],
      ['DKIM key at donations._domainkey.lanternwell.example', 'pass'],
    ],
  );
});

test('fails without the SMTP server, and names each record to add', async () => {
  const results = await runCheck(1, {
    '_dmarc.lanternwell.example': Object.assign(new Error(), { code: 'ETIMEOUT' }),
    'donations._domainkey.lanternwell.example': `v=DKIM1; k=rsa; p=${record.slice(4)}`,
  });
  const messages = results.map(([, status, message]) => `${status}: ${message}`);
  assert.match(messages[0]!, /^fail: Cannot send mail through 127\.0\.0\.1:1 \(.*ECONNREFUSED/);
  assert.match(messages[1]!, /^warning: .*Add a TXT record to lanternwell\.example/);
  assert.match(messages[2]!, /^warning: This machine cannot look up the DNS record \(ETIMEOUT\)/);
  assert.ok(messages[3]!.endsWith(`v=DKIM1; k=rsa; p=${record}`), messages[3]);
});
