import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticate } from 'mailauth';
import PostalMime from 'postal-mime';
import { DKIM_RECORD, receiveAllMail } from './received-mail.ts';

/** Address of the organization's SMTP server, as its mail arrives. */
const SENDER = { ip: '192.0.2.25', helo: 'smtp.lanternwell.example' };

const RECORDS: Readonly<Record<string, string>> = {
  'lanternwell.example': 'v=spf1 ip4:192.0.2.25 -all',
  'donations._domainkey.lanternwell.example': DKIM_RECORD,
  '_dmarc.lanternwell.example': 'v=DMARC1; p=reject; adkim=s; aspf=s',
};

async function resolveRecord(name: string, type: string): Promise<string[][]> {
  const record = RECORDS[name];
  if (type === 'TXT' && record !== undefined) return [[record]];
  throw Object.assign(new Error(`no ${type} record of ${name}`), { code: 'ENOTFOUND' });
}

test('receivers with the strictest policy accept each kind of message in several languages', async () => {
  const messages = await receiveAllMail(['en', 'de', 'ar', 'ja']);
  assert.equal(messages.length, 4 * 4);
  for (const { kind, language, sender, bytes } of messages) {
    const what = `${kind} ${language}`;
    const options = { ...SENDER, sender, mta: 'mx.example.org', resolver: resolveRecord };
    const { dkim, spf, dmarc } = await authenticate(bytes, options);
    assert.deepEqual(
      dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain]),
      [['pass', 'lanternwell.example']],
      what,
    );
    assert.equal(dkim.results[0]!.status.aligned, 'lanternwell.example', what);
    assert.equal(spf !== false && spf.status.result, 'pass', what);
    assert.ok(dmarc !== false && dmarc.status.result === 'pass' && dmarc.policy === 'reject', what);

    const changed = Buffer.from(bytes.toString('latin1').replace('Lanternwell', 'Other'), 'latin1');
    const forged = await authenticate(changed, { ...options, ip: '198.51.100.1' });
    assert.equal(forged.dmarc !== false && forged.dmarc.status.result, 'fail', what);
  }
});

test('each message has one recipient, loads nothing, and names how to stop it if it can be stopped', async () => {
  const messages = await receiveAllMail();
  assert.equal(messages.length, 17 * 4);
  for (const { kind, language, recipients, bytes } of messages) {
    const what = `${kind} ${language}`;
    const { headers, html = '', text = '', to, cc, bcc } = await PostalMime.parse(bytes);
    const values = new Map(headers.map(({ key, value }) => [key, value]));
    assert.equal(values.size, headers.length, `${what} repeats a header`);
    assert.deepEqual([recipients.length, to?.length, cc, bcc], [1, 1, undefined, undefined], what);
    assert.equal(values.get('auto-submitted'), 'auto-generated', what);
    assert.equal(values.has('list-unsubscribe'), kind === 'tribute', what);
    assert.ok(Buffer.byteLength(html) <= 60_000, what);
    assert.doesNotMatch(html, /https?:|src=|url\(|href=|@import/i, what);
    assert.doesNotMatch(html.replace(/<style>[^]*<\/style>/, '') + text, /[{}]|undefined/, what);
    for (const line of bytes.toString('latin1').split('\r\n'))
      assert.ok(line.length <= 998, `${what} has a line of ${line.length} characters`);
  }
});
