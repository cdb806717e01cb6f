import { createAdminApp } from '../../../src/server/admin/create-admin-app.ts';
import type { Difference, ReportLine } from '../../../src/server/reporting/report.ts';
import { waitUntil } from '../../wait-until.ts';
import { configuration, newKey, outcomeOf, PLATFORM_KEY, type Desk } from '../support.ts';

const KEY = 'admin-key';
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Gives by card. @returns the gift's reference. */
export async function give(
  desk: Desk,
  change: Parameters<Desk['request']>[0] = {},
): Promise<string> {
  return (await outcomeOf(await desk.post(await desk.request(change)))).reference;
}

/** Asks the admin listener. @param key what is shown; `null` for nothing. */
export async function order(
  desk: Desk,
  path: string,
  body: object,
  key: string | null = KEY,
): Promise<Response> {
  return createAdminApp({
    ...desk.records,
    ignoredSettingStats: desk.ignoredSettingStats,
    inboundWebhooks: desk.inboundWebhooks,
    outboundWebhooks: desk.outboundWebhooks,
    runJobs: () => Promise.reject(new Error('not available in this test')),
    scripts: async () => new Map(),
    scrape: desk.scrape,
    readiness: desk.readiness,
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

async function linesOf<Line>(response: Response): Promise<Line[]> {
  return (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

type Of<Kind extends ReportLine['kind']> = Extract<ReportLine, { kind: Kind }>;

export interface Report {
  readonly rows: readonly Of<'row'>['row'][];
  /** Such as `missing database renewal 7K4M9-QXD2P-2`. */
  readonly differences: readonly string[];
  readonly full: readonly Difference[];
  readonly inProgress: readonly string[];
  readonly applied: readonly string[];
  readonly notCompared: readonly Of<'not-compared'>[];
  readonly end: Of<'end'>;
}

/** @param days the first and the last; without them, all that there is. */
export async function reconcile(
  desk: Desk,
  {
    from = '2000-01-01',
    to = '2099-12-31',
    apply = false,
  }: { readonly from?: string; readonly to?: string; readonly apply?: boolean } = {},
): Promise<Report> {
  const lines = await linesOf<ReportLine>(
    await order(desk, '/reconciliation', { from, to, apply, includeRows: true }),
  );
  const of = <Kind extends ReportLine['kind']>(kind: Kind): Of<Kind>[] =>
    lines.filter((line): line is Of<Kind> => line.kind === kind);
  const full = of('difference').map(({ difference }) => difference);
  return {
    rows: of('row').map(({ row }) => row),
    full,
    differences: full.map(
      ({ type, side, field, reference }) => `${type} ${side} ${field} ${reference}`,
    ),
    inProgress: of('in-progress').map(({ reference }) => reference),
    applied: of('applied').map(({ reference, change }) => `${reference} ${change}`),
    notCompared: of('not-compared'),
    end: of('end')[0]!,
  };
}

/** A key whose gift is this donor's, as `StripeDesk.give` makes donors of keys. */
export const DONOR = 'canary-donor@example.org';
export const keyOfDonor = (): string => `canary-donor${newKey()}`;

/** Waits until the platform knows everything that the database has to tell. */
export async function told(desk: Desk): Promise<void> {
  await waitUntil(async () => {
    desk.handler.start();
    return (await desk.repository.outbox.listByStatus('pending', 1)).length === 0;
  });
}

/** Keeps gifts like one that was given, recorded as it was. @returns their references. */
export async function copies(desk: Desk, count: number): Promise<string[]> {
  const { reference } = await outcomeOf(await desk.post(await desk.request()));
  await told(desk);
  const row = (await desk.repository.findByReference(reference))!;
  const event = (await desk.repository.outbox.findGiftEvent(reference))!;
  const rows = Array.from({ length: count - 1 }, (_, index) => ({
    ...row,
    reference: `CRPYX-${index + 22_222}`,
    idempotency_key_hash: `key ${index}`,
    payment_id: `pay_${index}`,
    payload: JSON.stringify(row.payload),
  }));
  await desk.records.database.writer.write(async (transaction) => {
    for (let at = 0; at < rows.length; at += 50) {
      const some = rows.slice(at, at + 50);
      await transaction.insertInto('donations').values(some).execute();
      await transaction
        .insertInto('outbox')
        .values(
          some.map((one) => ({
            ...event,
            id: `donation ${one.reference}`,
            reference: one.reference,
            payload: JSON.stringify(event.payload),
          })),
        )
        .execute();
    }
  });
  return [reference, ...rows.map((one) => one.reference)];
}

/** A call of the sandbox's platform, as its own people make one. */
export async function atPlatform(
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
