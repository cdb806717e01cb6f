import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../../src/server/staff/roles.ts';
import { openAdmin, startAdminServer } from '../admin/support.ts';
import type { TestServer } from '../support.ts';
import { addPerson, callWithToken, ORGANIZATION, perform } from './support.ts';

async function createToken(
  server: TestServer,
  permissions: readonly Permission[],
  organization = '*',
) {
  const creator = await addPerson(server, 'Maria');
  const input = { name: 'Accounting', organization, permissions };
  return { creator, ...(await perform(server, 'tokens.create', input, creator)) };
}

const getStatus = async (response: Promise<Response>): Promise<number> => (await response).status;

test('a token performs only the actions of its permissions, and is stored as a hash', async () => {
  await using server = await startAdminServer();
  const { token } = await createToken(server, ['receipts:read']);
  assert.match(token, /^dft_[0-9a-f]{48}$/);
  assert.deepEqual(
    [
      await getStatus(callWithToken(server, token, '/api/receipts')),
      await getStatus(callWithToken(server, token, '/api/donations')),
      await getStatus(callWithToken(server, token, '/api/tokens')),
      await getStatus(callWithToken(server, token, '/api/webhooks/outbound/retry', {})),
    ],
    [200, 403, 403, 403],
  );
  const rows = await server.database.db.selectFrom('apiTokens').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(token.slice(4)));
  const entries = await server.database.db.selectFrom('auditEntries').selectAll().execute();
  assert.ok(!JSON.stringify(entries).includes(token.slice(4)));
});

test('a token of one organization may not do what concerns the server', async () => {
  await using server = await startAdminServer();
  const { token, creator } = await createToken(server, ['totals:read'], ORGANIZATION);
  const input = { name: 'x', organization: ORGANIZATION, permissions: ['server:operate'] };
  await assert.rejects(perform(server, 'tokens.create', input, creator), /for all organizations/);
  assert.deepEqual(
    [
      await getStatus(callWithToken(server, token, '/api/organizations')),
      await getStatus(callWithToken(server, token, '/api/webhooks/outbound/retry', {})),
    ],
    [200, 403],
  );
});

test('a revoked token is rejected at once', async () => {
  await using server = await startAdminServer();
  const { id, token, creator } = await createToken(server, ['totals:read']);
  assert.equal(await getStatus(callWithToken(server, token, '/api/organizations')), 200);
  await perform(server, 'tokens.revoke', { id }, creator);
  assert.equal(await getStatus(callWithToken(server, token, '/api/organizations')), 401);
});

test('a token never does more than its creator may do now', async () => {
  await using server = await startAdminServer();
  const { token, creator } = await createToken(server, ['totals:read', 'donations:read']);
  const maria = await addPerson(server, 'Ben');
  const list = (path: string) => getStatus(callWithToken(server, token, path));
  assert.deepEqual([await list('/api/organizations'), await list('/api/donations')], [200, 200]);
  const roles = { organization: '*', roles: ['campaigner'] };
  await perform(server, 'staff.set-roles', { id: creator.id, ...roles }, maria);
  assert.deepEqual([await list('/api/organizations'), await list('/api/donations')], [200, 403]);
  await perform(server, 'staff.remove', { id: creator.id }, maria);
  assert.equal(await list('/api/organizations'), 401);
});

test('a token cannot create tokens, or people who may do more', async () => {
  await using server = await startAdminServer();
  const { token } = await createToken(server, ['staff:manage', 'totals:read', 'forms:edit']);
  const newToken = { name: 'x', organization: '*', permissions: ['totals:read'] };
  assert.equal(await getStatus(callWithToken(server, token, '/api/tokens', newToken)), 403);
  const invite = (role: string) =>
    getStatus(
      callWithToken(server, token, '/api/staff', {
        name: 'Eve',
        email: 'e@example.org',
        organization: '*',
        roles: [role],
      }),
    );
  assert.deepEqual(
    [await invite('administrator'), await invite('finance'), await invite('campaigner')],
    [403, 403, 200],
  );
});

test('limits wrong tokens, and not the right one', async () => {
  await using server = await startAdminServer();
  const { token } = await createToken(server, ['totals:read']);
  const statuses = [];
  for (let attempt = 0; attempt < 6; attempt += 1)
    statuses.push(await getStatus(callWithToken(server, `dft_${attempt}`, '/api/organizations')));
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  assert.equal(await getStatus(callWithToken(server, token, '/api/organizations')), 200);
});

test('records the last use of a token once a minute', async () => {
  await using admin = await openAdmin();
  const { server, setTime } = admin;
  const { token, creator } = await createToken(server, ['totals:read']);
  const readUse = async () =>
    (await perform(server, 'tokens.list', {}, creator)).tokens[0]!.lastUsedAt;
  assert.equal(await readUse(), null);
  const uses = [];
  for (const second of [0, 59, 61]) {
    setTime(Date.UTC(2026, 10, 24, 13, 0, second));
    await callWithToken(server, token, '/api/organizations');
    uses.push(await readUse());
  }
  const start = '2026-11-24T13:00:00.000Z';
  assert.deepEqual(uses, [start, start, '2026-11-24T13:01:01.000Z']);
});
