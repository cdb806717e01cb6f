/**
 * Iterates over all records of each list with a client's iterator, and prints by how many bytes the
 * heap grew after the first tenth of them. `--leak` retains all records to simulate a leak.
 * Run it with --expose-gc: `iterate-lists.ts BASE_URL RECORDS [--leak] LIST ...`.
 */
import { parseArgs } from 'node:util';
import { DonationPlatformClient } from '../donation-v1/index.ts';
import { FundraisingClient, type QueryOptions, type QueryRequest } from '../fundraising/index.ts';

/** In milliseconds; long enough for the strictest limit, 4,000 requests per day. */
const REQUEST_INTERVAL = 22_000;

const {
  positionals: [baseUrl = '', records = '', ...lists],
  values: { leak: leaks },
} = parseArgs({ allowPositionals: true, options: { leak: { type: 'boolean', default: false } } });
const last = Number(records);
const first = last / 10;

let time = Date.UTC(2026, 10, 21);
const fundraising = new FundraisingClient({ baseUrl, apiKey: 'key' });
const v1 = new DonationPlatformClient({
  baseUrl,
  organizationKey: 'organization',
  licenseKey: 'key',
  now: () => (time += REQUEST_INTERVAL),
});

async function* iterateQueriedCampaigns(): AsyncGenerator {
  const options: QueryOptions = {
    parameters: [{ name: 'id', operators: ['IsKnown'] }],
    columns: [],
  };
  const groups: QueryRequest['groups'] = [
    { conditions: [{ parameter: 'id', operator: 'IsKnown' }] },
  ];
  for await (const { body } of fundraising.iterateQueriedCampaignPages({ groups }, options))
    yield* body.items;
}

const iterators: Readonly<Record<string, () => AsyncGenerator>> = {
  campaigns: () => fundraising.iterateCampaigns(),
  'queried campaigns': iterateQueriedCampaigns,
  activities: () => fundraising.iterateActivities(),
  donors: () => v1.iterateDonors(),
  donations: () => v1.iterateDonations(),
};

function measureHeap(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const retained: unknown[] = [];

/** Iterates over a list and returns an `IterationReport`. */
async function measureHeapGrowth(list: string): Promise<object> {
  let count = 0;
  let before = 0;
  let after = 0;
  for await (const record of iterators[list]!()) {
    count += 1;
    if (leaks) retained.push(record);
    if (count === first) before = measureHeap();
    if (count === last) after = measureHeap();
  }
  return { list, count, retained: retained.length, heapGrowth: after - before };
}

const reports: object[] = [];
for (const list of lists) reports.push(await measureHeapGrowth(list));
console.log(JSON.stringify(reports));
