import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACTION_ROUTES,
  type ActionName,
  type ActionRoute,
} from '../../../src/server/admin/actions/action-routes.ts';
import { addReceipt } from '../receipts/add-receipt.ts';
import { readAllTables } from '../reporting/support.ts';
import {
  addInboundWebhook,
  ADMIN_KEY,
  Browser,
  createDonationInReview,
  startAdminServer,
} from './support.ts';

const ACTIONS = Object.entries<ActionRoute>(ACTION_ROUTES) as [ActionName, ActionRoute][];
const PERIOD = { from: '2026-01-01', to: '2026-12-31' };
/** Bodies of the read-only actions that require one. */
const BODIES: Readonly<Partial<Record<ActionName, object>>> = {
  'donations.export': PERIOD,
  'gift-aid.claim': { from: '2026-01-01', to: '2026-01-31' },
  'receipts.export': { year: 2026 },
  'review.match': { decision: 'succeeded' },
  'donors.export': { email: 'canary@example.org' },
};

test('every read-only action changes nothing, except that the audit log records exports', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  await addInboundWebhook(server, 'a');
  const { payload, createdAt } = (await server.repository.findByReference(reference))!;
  const year = new Date(createdAt).getUTCFullYear();
  const bodies: typeof BODIES = {
    ...BODIES,
    'statements.show': { email: payload.donor.email, year },
  };
  await addReceipt(server.database, reference, { data: { isTest: true } });
  const before = await readAllTables(server);
  for (const [name, { method, path, isReadOnly }] of ACTIONS) {
    if (!isReadOnly) continue;
    const url = path.replace(':reference', reference).replace(':id', 'a');
    const response = await server.fetchAdmin(url, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      ...(method === 'POST' && { body: JSON.stringify(bodies[name] ?? {}) }),
    });
    assert.deepEqual([name, response.status], [name, 200]);
    await response.text();
    const entries = await server.database.db.deleteFrom('auditEntries').returningAll().execute();
    const isExport = ACTION_ROUTES[name].permission === 'records:export';
    assert.deepEqual(
      entries.map(({ action }) => action),
      isExport ? [name] : [],
    );
    assert.equal(await readAllTables(server), before, name);
  }
});

test('every action except the report on settings requires the admin key', async () => {
  await using server = await startAdminServer();
  const browser = new Browser(server);
  await browser.request('/');
  for (const [name, { method, path }] of ACTIONS)
    for (const headers of [
      {},
      { Authorization: 'Basic other' },
      { Authorization: 'Bearer other' },
      { Cookie: browser.cookie },
    ] as Record<string, string>[]) {
      const { status } = await server.fetchAdmin(path, { method, headers });
      assert.deepEqual([name, status], [name, name === 'settings.report' ? 200 : 401]);
    }
});
