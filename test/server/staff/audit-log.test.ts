import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  ACTION_ROUTES,
  type ActionName,
  type ActionRoute,
} from '../../../src/server/admin/actions/action-routes.ts';
import { DECISIONS } from '../../../src/server/admin/actions/input-values.ts';
import { ADMIN_KEY_ACTOR } from '../../../src/server/staff/actor.ts';
import { CARDS } from '../../fake-stripe.ts';
import {
  ADMIN_KEY,
  Browser,
  callAdmin,
  createDonationInReview,
  NOW,
  openAdmin,
  startAdminServer,
} from '../admin/support.ts';
import { createTestMail } from '../mail/support.ts';
import { addReceipt } from '../receipts/add-receipt.ts';
import { createDonorKey, DONOR_EMAIL } from '../reporting/support.ts';
import type { TestServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { addPerson, ORGANIZATION, perform } from './support.ts';

const readEntries = ({ database }: Pick<TestServer, 'database'>) =>
  database.db.selectFrom('auditEntries').selectAll().orderBy('at').execute();

/** Values of a donor, in every field that an action accepts. */
const DONOR = 'Canaria';
/** Inputs with these values in every field that an action accepts, and such that actions succeed. */
const INPUTS = [DONOR, DONOR_EMAIL].flatMap((value) => [
  Object.fromEntries(
    [
      'name addressLines note reason email to search subject actor before file event events',
      'kind language from organization platformId roles permissions reference id',
    ]
      .flatMap((names) => names.split(' '))
      .map((name) => [name, name === 'addressLines' || name === 'events' ? [value] : value]),
  ),
  { from: '2026-01-01', to: '2026-01-31', timeoutSeconds: 1 },
  { from: value, to: value, year: 2026 },
  { from: 'https://a.example', to: value },
  { name: value, addressLines: [value], platformId: value },
  { id: value },
]);

/** Performs an action with the fields of the input that it accepts. Ignores errors. */
async function performWithKnownFields(
  server: TestServer,
  name: ActionName,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    const output: object = await perform(server, name, input, ADMIN_KEY_ACTOR);
    if (Symbol.asyncIterator in output) await Array.fromAsync(output as AsyncIterable<unknown>);
  } catch (error) {
    const [, unknown] = /Unrecognized keys?: ([^·]+)/.exec((error as Error).message) ?? [];
    if (unknown === undefined) return;
    const known = Object.entries(input).filter(([field]) => !unknown.includes(`"${field}"`));
    await performWithKnownFields(server, name, Object.fromEntries(known));
  }
}

test('no action writes donor data to the audit log, whatever its input', async () => {
  await using server = await startAdminServer();
  const { reference } = await server.donate(CARDS.good, {}, createDonorKey());
  await addReceipt(server.database, reference, { data: { isTest: true } });
  for (const [name, { isReadOnly }] of Object.entries<ActionRoute>(ACTION_ROUTES)) {
    // The first person would end the test, and a backup would write a file.
    if (name === 'staff.invite' || name === 'backup') continue;
    for (const decision of isReadOnly ? [undefined] : DECISIONS)
      for (const fields of INPUTS) {
        const base = { by: 'Staff', email: DONOR_EMAIL, note: DONOR, reason: DONOR };
        const input = { ...base, reference, id: ORGANIZATION, decision, ...fields };
        await performWithKnownFields(server, name as ActionName, input);
      }
  }
  const entries = await readEntries(server);
  const actions = new Set(entries.map(({ action }) => action));
  for (const name of ['donations.resolve', 'receipts.correct', 'donors.delete', 'donors.export'])
    assert.ok(actions.has(name), name);
  assert.deepEqual(
    entries.filter((entry) => /canar/i.test(JSON.stringify(entry))),
    [],
  );
});

test('records who did what, from where, before and after, and the result', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const decision = { by: 'Ana', decision: 'succeeded' };
  await callAdmin(server, `/api/donations/${reference}/resolve`, decision);
  await callAdmin(server, `/api/donations/${reference}/resolve`, decision);
  const [done, failed] = await readEntries(server);
  const { id, at } = done!;
  assert.deepEqual(done, {
    id,
    at,
    actorKind: 'admin-key',
    actorId: 'admin-key',
    actorName: 'Ana',
    address: '',
    organization: ORGANIZATION,
    action: 'donations.resolve',
    subject: reference,
    before: '{"status":"needs_review"}',
    after: '{"decision":"succeeded","status":"succeeded"}',
    result: 'done',
  });
  assert.equal(failed!.result, 'failed');
});

test('shows an action as unknown if the server was killed before it saved the result', async () => {
  let writesLeft = Infinity;
  await using server = await startAdminServer({
    changeDatabase: (database) => ({
      ...database,
      writer: {
        ...database.writer,
        write: (callback) =>
          writesLeft-- > 0
            ? database.writer.write(callback)
            : Promise.reject(new Error('the server was killed')),
      },
    }),
  });
  const maria = await addPerson(server, 'Maria');
  const pause = { id: ORGANIZATION, by: 'Maria' };
  const invitation = { email: 'ben@example.org', organization: '*', roles: ['finance'] };
  // The intent, the change, and not the result.
  for (const [name, input] of [
    ['organizations.pause', pause],
    ['staff.invite', { ...invitation, name: 'Ben' }],
  ] as const) {
    writesLeft = 2;
    await assert.rejects(perform(server, name, input, maria), /was killed/);
    writesLeft = Infinity;
  }
  const { items } = await perform(server, 'audit.list', {}, maria);
  assert.deepEqual(
    items
      .map(({ action, organization, after, result }) => [action, organization, after, result])
      .sort(),
    [
      ['organizations.pause', ORGANIZATION, { paused: true }, 'unknown'],
      ['staff.invite', '*', { ...invitation, name: 'Ben' }, 'unknown'],
    ],
  );
  const { items: organizations } = await perform(server, 'organizations.list', {}, maria);
  assert.notEqual(organizations[0]!.paused, null);
});

test('records what an action set, without notes and donors', async () => {
  const folder = createFolder();
  const database = path.join(folder, 'donations.db');
  await using server = await startAdminServer({ mail: createTestMail(1), database });
  const maria = await addPerson(server, 'Maria');
  const file = path.join(folder, 'copy.db');
  const email = DONOR_EMAIL;
  for (const [name, input, after] of [
    ['backup', { file }, { file }],
    ['organizations.pause', { id: ORGANIZATION, by: 'Maria', note: DONOR }, { paused: true }],
    ['organizations.resume', { id: ORGANIZATION, by: 'Maria', note: DONOR }, { paused: false }],
    ['mail.pause', { by: 'Maria' }, { mailPaused: true }],
    ['mail.resume', { by: 'Maria' }, { mailPaused: false }],
    ['mail.block', { by: 'Maria', email }, { blocked: true }],
    ['mail.unblock', { by: 'Maria', email }, { blocked: false }],
    ['mail.resend', {}, { resent: 0 }],
  ] as const) {
    await perform(server, name, input, maria);
    const { items } = await perform(server, 'audit.list', {}, maria);
    const entry = items.find(({ action }) => action === name);
    assert.deepEqual([entry?.after, entry?.result], [after, 'done'], name);
  }
});

test('records exports of the API and of the pages, sign-ins, and sign-outs', async () => {
  await using admin = await openAdmin();
  const { server, browser, signIn } = admin;
  const csrf = await signIn();
  await callAdmin(server, '/api/donations/export', { from: '2026-01-01', to: '2026-01-31' }).then(
    (response) => response.text(),
  );
  await browser.request('/donations/export');
  await browser.request('/receipts/export?year=2026');
  await browser.request('/donations');
  await browser.request('/sign-out', { csrf });
  const entries = await readEntries(server);
  assert.deepEqual(entries.map(({ action, result }) => `${action} ${result}`).sort(), [
    'donations.export done',
    'donations.export done',
    'receipts.export done',
    'sign-in done',
    'sign-out done',
  ]);
  assert.deepEqual([...new Set(entries.map(({ address }) => address))].sort(), ['', '127.0.0.1']);
});

test('records the address of who connected to the proxy, not the one they claim', async () => {
  await using server = await startAdminServer({ adminUrl: 'https://admin.example.org' });
  const headers = { 'X-Forwarded-For': '192.0.2.1, 203.0.113.7' };
  await new Browser(server, { headers }).signIn();
  await server.fetchAdmin(`/api/organizations/${ORGANIZATION}/pause`, {
    method: 'POST',
    body: JSON.stringify({ by: 'Ana' }),
    headers: { ...headers, Authorization: `Bearer ${ADMIN_KEY}` },
  });
  const entries = await readEntries(server);
  assert.deepEqual(entries.map(({ action, address }) => `${action} ${address}`).sort(), [
    'organizations.pause 203.0.113.7',
    'sign-in 203.0.113.7',
  ]);
});

test('administrators of one organization see only its entries', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const ben = await addPerson(server, 'Ben', {
    organization: ORGANIZATION,
    roles: ['administrator'],
  });
  for (const organization of ['*', ORGANIZATION, 'other'])
    await server.auditLog.record({ actor: maria, action: 'x', organization });
  const list = async (actor: typeof maria) =>
    (await perform(server, 'audit.list', {}, actor)).items.map(({ organization }) => organization);
  assert.deepEqual((await list(maria)).sort(), ['*', ORGANIZATION, 'other']);
  assert.deepEqual(await list(ben), [ORGANIZATION]);
});

test('records sign-ins where administrators manage the person', async () => {
  await using server = await startAdminServer();
  const ben = await addPerson(server, 'Ben', {
    organization: ORGANIZATION,
    roles: ['administrator'],
  });
  const token = await server.oneTimeTokens.create({
    purpose: 'invitation',
    person: ben.id,
    lifetime: 60_000,
  });
  const browser = new Browser(server);
  const csrf = await browser.fetchCsrfToken(`/invitation/${token}`);
  await browser.request(`/invitation/${token}`, { csrf, email: 'ben@example.org' });
  const { items } = await perform(server, 'audit.list', {}, ben);
  assert.deepEqual(
    items.map(({ action, organization }) => [action, organization]),
    [['sign-in', ORGANIZATION]],
  );
});

test('lists nothing after an entry that has been deleted', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  await server.auditLog.record({ actor: maria, action: 'x', organization: '*' });
  const { items } = await perform(server, 'audit.list', { before: 'deleted' }, maria);
  assert.deepEqual(items, []);
});

test('filters by person and time, pages, and exports as CSV', async () => {
  await using admin = await openAdmin();
  const { server, browser, setTime, signIn } = admin;
  for (let minute = 0; minute < 60; minute += 1) {
    setTime(NOW + minute * 60_000);
    await server.auditLog.record({
      actor: { kind: 'person', id: minute % 2 === 0 ? 'ana' : 'ben', name: `=${minute}` },
      action: 'x',
      organization: '*',
    });
  }
  await signIn();
  const readRows = (html: string) => html.match(/<th role="rowheader"/g)?.length ?? 0;
  const first = (await browser.request('/audit-log')).html;
  const next = /href="(\/audit-log\?[^"]*before=[^"]+)"/.exec(first)![1]!.replaceAll('&amp;', '&');
  assert.deepEqual([readRows(first), readRows((await browser.request(next)).html)], [50, 11]);
  assert.equal(readRows((await browser.request('/audit-log?actor=ana')).html), 30);
  assert.equal(readRows((await browser.request('/audit-log?to=2026-11-23')).html), 0);
  assert.equal((await browser.request('/audit-log?from=yesterday')).status, 400);
  const csv = (await browser.request('/audit-log/export?actor=ben')).html;
  assert.equal(csv.trim().split('\r\n').length, 31);
  assert.match(csv, /"'=59"/);
});

test('deletes entries after the configured days', async () => {
  await using admin = await openAdmin();
  const { server, setTime } = admin;
  const actor = { kind: 'shell', id: '', name: 'root' } as const;
  await server.auditLog.record({ actor, action: 'old', organization: '*' });
  setTime(NOW + 86_400_000);
  await server.auditLog.record({ actor, action: 'new', organization: '*' });
  setTime(NOW + 730 * 86_400_000);
  await server.handler.runJobs();
  assert.deepEqual(
    (await readEntries(server)).map(({ action }) => action),
    ['new'],
  );
});
