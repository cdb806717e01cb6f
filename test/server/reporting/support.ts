import assert from 'node:assert/strict';
import { createAdminApp } from '../../../src/server/admin/create-admin-app.ts';
import { toGiftIdColumns, toInsertableRow } from '../../../src/server/database/row-mapper.ts';
import type { Tables } from '../../../src/server/database/schema.ts';
import type { Difference, ReportLine } from '../../../src/server/reporting/report.ts';
import { waitUntil } from '../../wait-until.ts';
import { configuration, createIdempotencyKey, PLATFORM_KEY, type TestServer } from '../support.ts';

const KEY = 'admin-key';
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Donates by card and returns the reference. */
export async function donateAndGetReference(
  server: TestServer,
  change: Parameters<TestServer['createRequest']>[0] = {},
): Promise<string> {
  return (await server.submitDonation(change)).reference;
}

/** Calls the admin API. @param key the admin key; `null` sends none. */
export async function callReportingApi(
  server: TestServer,
  path: string,
  body: object,
  key: string | null = KEY,
): Promise<Response> {
  return createAdminApp({
    ...server,
    runJobs: () => Promise.reject(new Error('not available in this test')),
    loadAssets: async () => new Map(),
    key: KEY,
    configuration: () => configuration,
  })(
    new Request(`http://127.0.0.1/api${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'Content-Type': 'application/json',
        ...(key !== null && { Authorization: `Bearer ${key}` }),
      },
    }),
  );
}

type LineOf<Kind extends ReportLine['kind']> = Extract<ReportLine, { kind: Kind }>;

export interface ReconciliationReport {
  readonly rows: readonly LineOf<'row'>['row'][];
  /** Such as `missing database renewal 7K4M9-QXD2P-2`. */
  readonly differences: readonly string[];
  readonly fullDifferences: readonly Difference[];
  readonly inProgress: readonly string[];
  readonly applied: readonly string[];
  readonly notCompared: readonly LineOf<'not-compared'>[];
  readonly end: LineOf<'end'>;
}

/** @param days the first and last day; all days by default. */
export async function reconcile(
  server: TestServer,
  {
    from = '2000-01-01',
    to = '2099-12-31',
    apply = false,
  }: { readonly from?: string; readonly to?: string; readonly apply?: boolean } = {},
): Promise<ReconciliationReport> {
  const request = { from, to, apply, includeRows: true };
  const text = await (await callReportingApi(server, '/reconciliation', request)).text();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine);
  const filterByKind = <Kind extends ReportLine['kind']>(kind: Kind): LineOf<Kind>[] =>
    lines.filter((line): line is LineOf<Kind> => line.kind === kind);
  const fullDifferences = filterByKind('difference').map(({ difference }) => difference);
  return {
    rows: filterByKind('row').map(({ row }) => row),
    fullDifferences,
    differences: fullDifferences.map(
      ({ type, side, field, reference }) => `${type} ${side} ${field} ${reference}`,
    ),
    inProgress: filterByKind('in-progress').map(({ reference }) => reference),
    applied: filterByKind('applied').map(({ reference, change }) => `${reference} ${change}`),
    notCompared: filterByKind('not-compared'),
    end: filterByKind('end')[0]!,
  };
}

/** Reads all tables of the database as text. */
export async function readAllTables({
  database: { db },
}: Pick<TestServer, 'database'>): Promise<string> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Tables);
  assert.ok(tables.length >= 12);
  return JSON.stringify(
    await Promise.all(
      tables.map(async (table) => [table, await db.selectFrom(table).selectAll().execute()]),
    ),
  );
}

/** Email of the donors that `StripeTestServer.donate` derives from keys of `createDonorKey`. */
export const DONOR_EMAIL = 'canary-donor@example.org';
export const createDonorKey = (): string => `canary-donor${createIdempotencyKey()}`;

/** Runs jobs, each time after a wait, until the outbox is delivered. */
export async function waitForDelivery(
  server: TestServer,
  wait: () => unknown = () => undefined,
): Promise<void> {
  await waitUntil(async () => {
    wait();
    server.handler.start();
    return (await server.repository.outbox.listByStatus('pending', 1)).length === 0;
  });
}

/** Inserts copies of a recorded donation, and of its outbox entry. */
export async function insertCopies(
  { database, repository }: TestServer,
  original: string,
  count: number,
  change: (index: number) => { readonly createdAt?: number } = () => ({}),
) {
  const row = (await repository.findByReference(original))!;
  const entry = toInsertableRow((await repository.outbox.findGiftCreation(original))!);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...row,
    reference: `CRPYX-${index + 22_222}`,
    idempotencyKeyHash: `key ${index}`,
    paymentId: `pay_${index}`,
    ...toGiftIdColumns(row.platformGiftId),
    payload: JSON.stringify(row.payload),
    ...change(index),
  }));
  await database.writer.write(async (transaction) => {
    for (let at = 0; at < rows.length; at += 50) {
      const some = rows.slice(at, at + 50);
      await transaction.insertInto('donations').values(some).execute();
      await transaction
        .insertInto('outbox')
        .values(some.map(({ reference }) => ({ ...entry, id: `donation ${reference}`, reference })))
        .execute();
    }
  });
  return rows;
}

/** Makes a donation, waits until it is recorded, and copies it. @returns all references. */
export async function donateOften(server: TestServer, count: number): Promise<string[]> {
  const reference = await donateAndGetReference(server);
  await waitForDelivery(server);
  const rows = await insertCopies(server, reference, count - 1);
  return [reference, ...rows.map((row) => row.reference)];
}

/** Calls the sandbox's platform as its staff do. */
export async function callPlatform(
  sandbox: { readonly fetch: (request: Request) => Response | Promise<Response> },
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await sandbox.fetch(
    new Request(`https://sandbox.test${path}`, {
      method,
      headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
