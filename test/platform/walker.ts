/**
 * Walks over 100,000 records with a client's iterator and prints how many bytes the heap has grown
 * by since the first 10,000.
 * Run it with --expose-gc: `walker.ts BASE_URL WALK [keep]`; `keep` collects the records, as a leak
 * would.
 */
import { DonationPlatformClient } from '../../src/platform/donation-v1/index.ts';
import {
  FundraisingClient,
  type QueryOptions,
  type QueryRequest,
} from '../../src/platform/fundraising/index.ts';

const FIRST = 10_000;
const LAST = 100_000;
/** So long that the 4,000 requests of a day, the strictest limit, allow one each time. */
const BETWEEN_REQUESTS = 22_000;

const [baseUrl = '', walk = '', keep] = process.argv.slice(2);

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
let count = 0;
let before = 0;
let after = 0;
for await (const record of walks[walk]!()) {
  count += 1;
  if (keep) kept.push(record);
  if (count === FIRST) before = heapUsed();
  if (count === LAST) after = heapUsed();
}
console.log(JSON.stringify({ count, kept: kept.length, grown: after - before }));
