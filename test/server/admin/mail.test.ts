import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../../src/core/i18n/languages.ts';
import { MAIL_SAMPLES } from '../../../src/server/mail/mail-samples.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestLogo, createTestMail } from '../mail/support.ts';
import { usReceipts } from '../receipts/support.ts';
import { callAdmin, NOW, openAdmin } from './support.ts';

const HOUR = 3_600_000;

test('previews each kind of message in each language, as HTML and as text', async () => {
  const mail = createTestMail(1, { color: '#0a6e5c', logo: createTestLogo() });
  await using admin = await openAdmin({ mail });
  await admin.signIn();
  for (const kind of Object.keys(MAIL_SAMPLES))
    for (const language of LANGUAGES) {
      const query = `?organization=lanternwell&kind=${kind}&language=${language}`;
      const page = await admin.browser.request(`/mail${query}`);
      assert.equal(page.status, 200);
      assert.ok(page.html.includes(`<pre lang="${language}"`));
      assert.ok(page.html.includes(`/mail/preview${query}`.replaceAll('&', '&amp;')), page.html);
      const { html, headers } = await admin.browser.request(`/mail/preview${query}`);
      assert.match(html, new RegExp(`<html lang="${language}"`));
      if (kind !== 'tribute') assert.match(html, /7K4M9-QXD2P/);
      assert.match(html, /<img class="logo" src="data:image\/png;base64,/);
      const policy = headers.get('Content-Security-Policy')!;
      assert.match(
        policy,
        /^sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
      );
    }
  for (const query of ['?kind=toString', '?language=xx', '?organization=other'])
    assert.equal((await admin.browser.request(`/mail/preview${query}`)).status, 200, query);
});

test('previews the receipt of an organization that issues receipts', async () => {
  await using admin = await openAdmin({ mail: createTestMail(1), receipts: usReceipts });
  await admin.signIn();
  const { html } = await admin.browser.request('/mail?kind=thank_you&language=es');
  assert.match(html, /src="\/mail\/receipt\?[^"]*language=es"/);
  const preview = await admin.browser.request('/mail/receipt?language=es');
  assert.match(preview.html, /<html lang="es"[^]*WEB-\d{4}-000001[^]*501\(c\)\(3\)/);
  assert.match(
    preview.headers.get('Content-Security-Policy')!,
    /^sandbox allow-same-origin; default-src 'none'/,
  );
});

test('shows the preview to nobody who has not signed in', async () => {
  await using admin = await openAdmin({ mail: createTestMail(1) });
  for (const path of ['/mail', '/mail/preview', '/mail/receipt'])
    assert.equal((await admin.browser.request(path)).status, 401);
});

test('says how to set up mail instead of offering a test, and still shows the preview', async () => {
  await using admin = await openAdmin();
  const csrf = await admin.signIn();
  const { html } = await admin.browser.request('/mail');
  assert.match(html, /<code>mail<\/code> is not configured/);
  assert.doesNotMatch(html, /action="\/mail\/test"/);
  assert.match(html, /<iframe src="\/mail\/preview/);
  const fields = { csrf, organization: 'lanternwell', kind: 'thank_you', language: 'en' };
  await admin.browser.request('/mail/test', { ...fields, to: 'staff@example.org' });
  assert.match((await admin.browser.request('/mail')).html, /No test was sent, because/);
});

test('sends a test to the staff, and at most five an hour', async () => {
  await using smtp = await startSmtpServer();
  await using admin = await openAdmin({ mail: createTestMail(smtp.port) });
  const csrf = await admin.signIn();
  const { to } = await admin.browser.request('/mail/test', {
    csrf,
    organization: 'lanternwell',
    kind: 'thank_you',
    language: 'de',
    to: 'staff@example.org',
  });
  assert.equal(to, '/mail?organization=lanternwell&kind=thank_you&language=de');
  const { html } = await admin.browser.request(to);
  assert.match(html, /role="status"><p>127\.0\.0\.1:\d+ accepted the test for staff@example\.org/);
  assert.match(smtp.received[0]!, /^To: staff@example\.org$/m);

  const send = () => callAdmin(admin.server, '/api/mail/test', { to: 'staff@example.org' });
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await send()).status);
  assert.match(
    smtp.received[1]!,
    /^Subject: \[Test\] Thank you for your donation to Lanternwell$/m,
  );
  assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
  admin.setTime(NOW + HOUR);
  assert.equal((await send()).status, 200);
  assert.equal(smtp.received.length, 6);
});

test("shows the SMTP server's answer if it does not accept the test", async () => {
  const refusal = Object.assign(new Error('5.7.1 relaying denied'), { responseCode: 550 });
  await using smtp = await startSmtpServer({}, () => refusal);
  await using admin = await openAdmin({ mail: createTestMail(smtp.port) });
  const response = await callAdmin(admin.server, '/api/mail/test', { to: 'staff@example.org' });
  assert.equal(response.status, 409);
  const { message } = (await response.json()) as { message: string };
  assert.match(
    message,
    /^127\.0\.0\.1:\d+ did not accept the test \(550 5\.7\.1 relaying denied\)\./,
  );
  for (const to of ['staff', 'staff@example.org\r\nBcc: x@example.org', 'a@b.example, c@d.example'])
    assert.equal((await callAdmin(admin.server, '/api/mail/test', { to })).status, 400, to);
});
