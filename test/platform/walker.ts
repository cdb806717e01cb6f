/**
 * Walks over all records of a list with a client's iterator and prints how many bytes the heap has
 * grown by since the first tenth of them; with several lists, walks over one after the other.
 * Run it with --expose-gc: `walker.ts BASE_URL RECORDS [--keep] LIST ...`; `--keep` collects the
 * records, as a leak would.
 */
import { parseArgs } from 'node:util';
import { DonationPlatformClient } from '../../src/platform-clients/donation-v1/index.ts';
import {
  FundraisingClient,
  type QueryOptions,
  type QueryRequest,
} from '../../src/platform-clients/fundraising/index.ts';

/** So long that the 4,000 requests of a day, the strictest limit, allow one each time. */
const BETWEEN_REQUESTS = 22_000;

const {
  positionals: [baseUrl = '', records = '', ...lists],
  values: { keep: keeps },
} = parseArgs({ allowPositionals: true, options: { keep: { type: 'boolean', default: false } } });
const last = Number(records);
const first = last / 10;

let time = Date.UTC(2026, 10, 21);
const fundraising = new FundraisingClient({ baseUrl, apiKey: 'key' });
const v1 = new DonationPlatformClient({
  baseUrl,
  organizationKey: 'organization',
  licenseKey: 'key',
  now: () => (time += BETWEEN_REQUESTS),
});

async function* eachQueriedCampaign(): AsyncGenerator {
  const options: QueryOptions = {
    parameters: [{ name: 'id', operators: ['IsKnown'] }],
    columns: [],
  };
  const groups: QueryRequest['groups'] = [
    { conditions: [{ parameter: 'id', operator: 'IsKnown' }] },
  ];
  for await (const { body } of fundraising.queriedCampaignPages({ groups }, options))
    yield* body.items;
}

const walks: Readonly<Record<string, () => AsyncGenerator>> = {
  campaigns: () => fundraising.eachCampaign(),
  'queried campaigns': eachQueriedCampaign,
  activities: () => fundraising.eachActivity(),
  donors: () => v1.eachDonor(),
  donations: () => v1.eachDonation(),
};

function heapUsed(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const kept: unknown[] = [];

/** A walk over a list: its records, those that were kept, and the bytes that the heap grew by. */
async function measure(list: string): Promise<object> {
  let count = 0;
  let before = 0;
  let after = 0;
  for await (const record of walks[list]!()) {
    count += 1;
    if (keeps) kept.push(record);
    if (count === first) before = heapUsed();
    if (count === last) after = heapUsed();
  }
  return { list, count, kept: kept.length, grown: after - before };
}

const measured: object[] = [];
for (const list of lists) measured.push(await measure(list));
console.log(JSON.stringify(measured));
