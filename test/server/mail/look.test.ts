import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { getContrastRatio, type Rgb } from '../../../src/core/color/index.ts';
import { makeReadable } from '../../../src/server/mail/readable-color.ts';
import { renderMail } from '../../../src/server/mail/render-mail.ts';
import { readMailLogo } from '../../../src/server/organizations/mail-logo.ts';
import { extractCode, extractTableRows } from '../../markdown-table.ts';
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
  amount: ['', '$50', ' a month'],
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
    /src="cid:([^"]+)" width="200" height="25" alt="Wells &amp; Co" style="width: 200px; height: 25px;/,
  );
  const [, id] = /src="cid:([^"]+)"/.exec(html)!;
  assert.deepEqual(
    attachments.map(({ cid }) => cid),
    [id],
  );
  const other = await renderMail(CONTENT, { logo: createTestLogo() });
  assert.notEqual(other.attachments[0]!.cid, id, 'a mailbox may mix up pictures with the same ID');
  const plain = await renderMail(CONTENT);
  assert.doesNotMatch(plain.html, /<img|border-top: 4px/);
  assert.match(plain.html, />Wells &amp; Co</);
});

/** Lists the tags, attributes, and CSS properties of a message. */
function listFeatures(html: string): string[] {
  const listProperties = (css: string): string[] =>
    [...css.matchAll(/(?<![\w(-])([a-z-]+):/g)].map(([, name]) => name!);
  const listOf = (node: DefaultTreeAdapterTypes.Node): string[] => [
    ...('tagName' in node ? [`<${node.tagName}>`] : []),
    ...('attrs' in node
      ? node.attrs.flatMap(({ name, value }) =>
          name === 'style' ? listProperties(value) : [`${name}=`],
        )
      : []),
    ...('tagName' in node && node.tagName === 'style'
      ? listProperties((node.childNodes[0] as { readonly value: string }).value)
      : []),
    ...('childNodes' in node ? node.childNodes.flatMap(listOf) : []),
  ];
  return listOf(parse(html));
}

test('uses only the HTML and CSS that docs/evidence/mail.md lists, with what becomes of it in mail programs', async () => {
  const full = {
    ...CONTENT,
    paragraphs: ['One\ntwo'],
    details: [['Date', 'Today']],
    panel: { title: 'Pay', text: 'Send it' },
    notice: 'A test',
  } as const;
  const looks = [{}, { color: '#0a6e5c', logo: createTestLogo() }];
  const features = new Set<string>();
  for (const direction of ['ltr', 'rtl'] as const)
    for (const look of looks)
      for (const feature of listFeatures((await renderMail({ ...full, direction }, look)).html))
        features.add(feature);
  const page = readFileSync('docs/evidence/mail.md', 'utf8');
  const listed = extractTableRows(page, 'In mail programs').flatMap(([used]) => extractCode(used!));
  assert.deepEqual([...features].sort(), listed.sort());
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
  assert.match(message!, /^Content-ID: <[\w-]+@donation-form>$/m);
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
