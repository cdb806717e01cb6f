import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { fetchConsole, openSandbox } from './support.ts';

test('shows mail instead of delivering it, and opens its HTML without scripts', async () => {
  const fixture = openSandbox();
  const listener = await fixture.sandbox.listenForMail({ host: '127.0.0.1', port: 0 });
  const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true });
  const message = {
    from: 'giving@lanternwell.example',
    to: ['ana@example.org', 'ben@example.org'],
    subject: 'Merci, José',
    text: 'Line 1\n<b>Line 2</b>',
  };
  try {
    await transport.sendMail({ ...message, html: '<p>Merci<script>alert(1)</script></p>' });
    await transport.sendMail({ ...message, to: 'ben@example.org' });
    await assert.rejects(
      transport.sendMail({ ...message, text: 'x'.repeat(2 ** 20) }),
      ({ responseCode }: { responseCode: number }) => responseCode >= 500,
    );
  } finally {
    await listener.close();
  }
  const text = await fetchConsole(fixture);
  assert.equal(text.split('Merci, José').length, 3);
  assert.match(text, /to ana@example\.org, ben@example\.org · [^]*href="\/emails\/1"/);
  assert.match(text, /Line 1\n&lt;b&gt;Line 2/);
  assert.doesNotMatch(text, /href="\/emails\/2"/);

  const { body, headers } = await fixture.request('/emails/1', undefined, { headers: {} });
  assert.match(String(body), /^<p>Merci/);
  assert.match(headers.get('Content-Security-Policy')!, /^sandbox; default-src 'none'/);
  for (const path of ['/emails/2', '/emails/99', '/emails/x'])
    assert.equal((await fixture.request(path, undefined, { headers: {} })).status, 404, path);
  const foreign = await fixture.request('http://sandbox.example/emails/1', undefined, {
    headers: {},
  });
  assert.equal(foreign.status, 403);
});
