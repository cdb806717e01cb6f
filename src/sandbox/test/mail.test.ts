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
    await transport.sendMail({
      ...message,
      to: 'ana@example.org',
      subject: 'Receipt',
      text: 'Reference: ABCDE-12345',
      html: '<img src="cid:logo">',
      attachments: [
        { filename: 'logo.png', cid: 'logo', content: 'x', contentDisposition: 'inline' },
        { filename: 'receipt.html', content: '<h1>Receipt</h1><script>alert(1)</script>' },
        { filename: 'receipt.pdf', content: Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff]) },
      ],
    });
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
  for (const path of ['/emails/1', '/emails/3/0']) {
    const url = `http://sandbox.example${path}`;
    assert.equal((await fixture.request(url, undefined, { headers: {} })).status, 403, path);
  }

  const read = (path: string) => fixture.request(path, undefined, { headers: {} });
  const page = String((await read('/?email=ABCDE-12345')).body);
  assert.deepEqual(
    [...page.matchAll(/href="(\/emails\/3[^"]*)">([^<]+)</g)].map(([, path, name]) => [path, name]),
    [
      ['/emails/3', 'Open the message'],
      ['/emails/3/0', 'Open receipt.html'],
      ['/emails/3/1', 'Open receipt.pdf'],
    ],
  );
  assert.doesNotMatch(page, /http-equiv="refresh"/);
  assert.match(String((await read('/?email=99999-99999')).body), /http-equiv="refresh"/);
  const receipt = await read('/emails/3/0');
  assert.match(String(receipt.body), /^<h1>Receipt/);
  assert.match(receipt.headers.get('Content-Security-Policy')!, /^sandbox; default-src 'none'/);
  const pdf = await read('/emails/3/1');
  assert.equal(pdf.headers.get('Content-Disposition'), 'attachment');
  assert.equal((await read('/emails/3/2')).status, 404);
});
