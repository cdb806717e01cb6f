import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAs, startAdminServer } from '../admin/support.ts';
import { callWithToken, EVERYWHERE, ORGANIZATION } from './support.ts';

test('shows a link that no mail carries, and a new API token, once', async () => {
  await using server = await startAdminServer();
  const { browser, csrf } = await signInAs(server, [EVERYWHERE]);
  const invited = await browser.request('/staff/invite', {
    csrf,
    name: 'Ben',
    email: 'ben@example.org',
    organization: ORGANIZATION,
    finance: 'on',
  });
  assert.equal(invited.status, 200);
  assert.match(invited.html, /could not mail Ben[^]*127\.0\.0\.1:4103\/invitation\/[\w-]{43}</);
  const created = await browser.request('/staff/tokens', {
    csrf,
    name: 'Accounting',
    organization: '*',
    'totals:read': 'on',
  });
  const [, token] = />(dft_\w+)</.exec(created.html)!;
  assert.equal((await callWithToken(server, token!, '/api/organizations')).status, 200);
  const { html } = await browser.request('/staff');
  assert.match(html, /Ben[^]*Accounting/);
  assert.doesNotMatch(html, /dft_|\/invitation\//);
});

test('says on the staff page why nobody was invited', async () => {
  await using server = await startAdminServer();
  const { browser, csrf } = await signInAs(server, [EVERYWHERE]);
  const fields = { csrf, name: 'Ben', email: 'ben@example.org', organization: ORGANIZATION };
  assert.equal((await browser.request('/staff/invite', fields)).to, '/staff');
  const { html } = await browser.request('/staff');
  assert.match(html, /Nothing was changed\. roles: expected at least one role/);
});
