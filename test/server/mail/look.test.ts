import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { getContrastRatio, type Rgb } from '../../../src/core/color/index.ts';
import { makeReadable } from '../../../src/server/mail/readable-color.ts';
import { renderMail } from '../../../src/server/mail/render-mail.ts';
import { readMailLogo } from '../../../src/server/organizations/mail-logo.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { startServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { createTestLogo, createTestMail } from './support.ts';

const parseColor = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

const CONTENT = {
  language: 'en',
  direction: 'ltr',
  subject: 'Subject',
  organization: 'Wells & Co',
  title: 'Thank you!',
  amount: '$50',
  paragraphs: [],
  details: [],
  closing: 'Questions?',
  signature: 'Wells & Co',
} as const;

test('makes any color readable as text, and keeps a color that is', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (rgb) => {
      const color = `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
      for (const background of ['#ffffff', '#202527']) {
        const shown = makeReadable(color, background);
        assert.ok(getContrastRatio(parseColor(shown), parseColor(background)) >= 4.5, color);
      }
    }),
  );
  assert.equal(makeReadable('#0a6e5c', '#ffffff'), '#0a6e5c');
});

test("shows the organization's color, and its logo with its name as alternative text", async () => {
  const { html, attachments } = await renderMail(CONTENT, {
    color: '#0a6e5c',
    logo: { content: Buffer.from('png'), width: 800, height: 100 },
  });
  assert.match(html, /border-top: 4px solid #0a6e5c/);
  assert.match(
    html,
    /<img class="logo" src="cid:([^"]+)" width="200" height="25" alt="Wells &amp; Co"/,
  );
  const [, id] = /src="cid:([^"]+)"/.exec(html)!;
  assert.deepEqual(
    attachments.map(({ cid }) => cid),
    [id],
  );
  const plain = await renderMail(CONTENT);
  assert.doesNotMatch(plain.html, /<img|border-top: 4px/);
  assert.match(plain.html, />Wells &amp; Co</);
});

test('sends the logo inside the message, and the subject in the language of the donor', async () => {
  await using smtp = await startSmtpServer();
  const logo = createTestLogo();
  const subject = { en: 'You bring light', de: 'Sie bringen Licht' };
  await using server = await startServer({ mail: createTestMail(smtp.port, { logo, subject }) });
  await server.makeDonation();
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  const [message] = smtp.received;
  assert.match(message!, /^Subject: You bring light$/m);
  assert.match(message!, /^Content-Type: multipart\/related/m);
  assert.match(message!, /^Content-ID: <logo@donation-form>$/m);
  assert.ok(message!.replaceAll('\n', '').includes(logo.content.toString('base64')));
});

test('rejects a logo that mail programs could not show, and says why', () => {
  const folder = createFolder();
  const readLogo = (content: Buffer) => {
    const file = join(folder, 'logo.png');
    writeFileSync(file, content);
    return readMailLogo(file, 'mail.logo');
  };
  const { content } = createTestLogo();
  assert.deepEqual(readLogo(content), createTestLogo());
  const empty = Buffer.from(content);
  empty.writeUInt32BE(0, 16);
  for (const [bad, expected] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /which is not a PNG file/],
    [Buffer.alloc(0), /which is not a PNG file/],
    [content.subarray(0, 20), /which is not a PNG file/],
    [Buffer.concat([content, Buffer.alloc(100_000)]), /bytes; expected at most 100000/],
    [empty, /0 by 48 pixels; expected a picture/],
  ] as const)
    assert.throws(() => readLogo(bad), expected);
  assert.throws(
    () => readMailLogo(join(folder, 'missing.png'), 'mail.logo'),
    /^ConfigurationError: mail\.logo: cannot read .*missing\.png \(no such file\)\./,
  );
});
