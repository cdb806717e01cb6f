import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { Check, Opened } from './contract.ts';

type Contract = 'fundraising' | 'donation-v1';
/** A single fault: in a file, one text in the place of another. */
type Mutant = readonly [contract: Contract, file: string, from: string, to: string];

/** Faults of the sandbox in wire names, values and limits. */
const SANDBOX: readonly Mutant[] = [
  ['fundraising', 'sandbox/platform.ts', "'X-RateLimit-Remaining', String(remaining)", "'X-RateLimit-Left', String(remaining)"],
  ['fundraising', 'sandbox/platform.ts', "'X-RateLimit-Reset', String(resetsAt)", "'X-RateLimit-Reset', String(resetsAt * 1000)"],
  ['fundraising', 'sandbox/index.ts', 'hourlyLimit = 1_500', 'hourlyLimit = 1_501'],
  ['fundraising', 'sandbox/platform.ts', 'requests per hour is exceeded.` }, 429)', 'requests per hour is exceeded.` }, 503)'],
  ['fundraising', 'sandbox/platform.ts', '`Bearer ${apiKey}`', '`Basic ${apiKey}`'],
  ['fundraising', 'sandbox/platform.ts', "'endDate', 'givingGoal', 'avgGiftGoal'] as const", "'endDate', 'givingGoal'] as const"],
  ['fundraising', 'sandbox/platform.ts', 'String(id) === text || ', 'String(id).includes(text) || '],
  ['fundraising', 'sandbox/platform.ts', 'description.toLowerCase().includes(text)', 'description.includes(text)'],
  ['fundraising', 'sandbox/platform.ts', 'items.slice(skip, skip + take)', 'items.slice(skip, take)'],
  ['fundraising', 'sandbox/platform.ts', 'descending ? ascending.reverse() : ascending', 'ascending'],
  ['fundraising', 'sandbox/platform-query.ts', 'found >= first && found <= last', 'found >= first && found < last'],
  ['fundraising', 'sandbox/platform-query.ts', 'conditions.some((matches)', 'conditions.every((matches)'],
  ['donation-v1', 'sandbox/v1-lists.ts', 'PAGE_SIZE = 20, LARGEST_PAGE = 200', 'PAGE_SIZE = 20, LARGEST_PAGE = 250'],
  ['donation-v1', 'sandbox/v1-lists.ts', 'PAGE_SIZE = 20,', 'PAGE_SIZE = 25,'],
  ['donation-v1', 'sandbox/v1-lists.ts', 'created.slice(0, 10) <= createdBefore', 'created.slice(0, 10) < createdBefore'],
  ['donation-v1', 'sandbox/v1-lists.ts', 'nextPageLink', 'nextPage'],
  ['donation-v1', 'sandbox/v1-windows.ts', "seconds: 60, limit: 100 }", "seconds: 60, limit: 101 }"],
  ['donation-v1', 'sandbox/v1-windows.ts', 'limit: 4_000 }', 'limit: 4_001 }'],
  ['donation-v1', 'sandbox/donation-v1.ts', "'X-Rate-Limit-Reset', resetsAt.toISOString()", "'X-Rate-Limit-Reset', String(resetsAt.getTime())"],
  ['donation-v1', 'sandbox/v1-access.ts', "if (!active)", "if (active === undefined)"],
  ['donation-v1', 'sandbox/donation-v1.ts', '(withTests || !gift.isTest)', '(withTests || gift.isTest === gift.isTest)'],
];

/** Faults of the clients in wire names, values and limits. */
const CLIENTS: readonly Mutant[] = [
  ['fundraising', 'platform/fundraising/client.ts', '`Bearer ${apiKey}`', '`bearer: ${apiKey}`'],
  ['fundraising', 'platform/fundraising/client.ts', 'take: String(take) }', 'limit: String(take) }'],
  ['fundraising', 'platform/fundraising/client.ts', "query.set('filter', filter)", "query.set('search', filter)"],
  ['fundraising', 'platform/fundraising/client.ts', "query.set('descending', String(descending))", "query.set('descending', String(!descending))"],
  ['fundraising', 'platform/fundraising/client.ts', "'/api/activity/list', request", "'/api/activities/list', request"],
  ['fundraising', 'platform/fundraising/client.ts', "queryBody('Campaign'", "queryBody('Gift'"],
  ['fundraising', 'platform/fundraising/client.ts', "count('X-RateLimit-Remaining')", "count('X-Rate-Limit-Remaining')"],
  ['fundraising', 'platform/fundraising/client.ts', 'new Date(reset * 1_000)', 'new Date(reset)'],
  ['fundraising', 'platform/fundraising/client.ts', 'response.status === 429', 'response.status === 430'],
  ['fundraising', 'platform/fundraising/client.ts', "textIn(parsed, 'message') ?? `${asked}: the platform answered", 'undefined ?? `${asked}: the platform answered'],
  ['fundraising', 'platform/fundraising/paging.ts', 'skip += length', 'skip += length + 1'],
  ['fundraising', 'platform/fundraising/enumerations.ts', 'CRM: 4, DonorPortal: 5', 'CRM: 5, DonorPortal: 4'],
  ['fundraising', 'model/frequency-value.ts', 'Weekly: 52', 'Weekly: 53'],
  ['donation-v1', 'platform/donation-v1/client.ts', "'X-OrganizationKey': organizationKey", "'X-Organization-Key': organizationKey"],
  ['donation-v1', 'platform/donation-v1/client.ts', '`Basic ${keyEncoding', '`Bearer ${keyEncoding'],
  ['donation-v1', 'platform/donation-v1/messages.ts', 'LARGEST_PAGE = 200', 'LARGEST_PAGE = 201'],
  ['donation-v1', 'platform/donation-v1/messages.ts', 'createdAfter: day(createdAfter)', 'createdFrom: day(createdAfter)'],
  ['donation-v1', 'platform/donation-v1/messages.ts', "headers.get('x-pagination')", "headers.get('pagination')"],
  ['donation-v1', 'platform/donation-v1/messages.ts', "headers.get('X-Rate-Limit-Reset')", "headers.get('X-RateLimit-Reset')"],
  ['donation-v1', 'platform/donation-v1/windows.ts', "milliseconds: 3_600_000, requests: 1_000", "milliseconds: 3_600_000, requests: 1_001"],
  ['donation-v1', 'platform/donation-v1/dates.ts', "half === 'PM' ? 12 : 0", "half === 'AM' ? 12 : 0"],
  ['donation-v1', 'platform/donation-v1/enumerations.ts', "'Product.Created': 16", "'Product.Created': 15"],
];

const SOURCES = new URL('../../src/', import.meta.url).href, OWN = new URL('.', import.meta.url).href, MUTANTS = [...SANDBOX, ...CLIENTS];

// Whatever a contract imports with `?mutant=N` behind its name is loaded anew, with the fault of that number in it.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context), number = context.parentURL === undefined ? null : numberIn(context.parentURL);
    return number !== null && numberIn(found.url) === null && [SOURCES, OWN].some((folder) => found.url.startsWith(folder)) ? { ...found, url: `${found.url}?mutant=${number}` } : found;
  },
  load(url, context, next) {
    const loaded = next(url, context), number = numberIn(url), [, file = '', from = '', to = ''] = MUTANTS[Number(number ?? NaN)] ?? [];
    if (file === '' || new URL(url).pathname !== new URL(SOURCES + file).pathname) return loaded;
    const text = Buffer.from(loaded.source as Uint8Array).toString();
    assert.equal(text.split(from).length, 2, `${file} has ${from} once`);
    return { ...loaded, source: text.replace(from, () => to) };
  },
});

function numberIn(url: string): string | null {
  return new URL(url).searchParams.get('mutant');
}

interface ContractModule {
  readonly fundraisingContract?: readonly Check<Opened>[];
  readonly openFundraising?: () => Opened;
  readonly donationV1Contract?: readonly Check<Opened>[];
  readonly openDonationV1?: () => Opened;
}

/** Checks the sandbox and the clients by a contract. @param number the mutant's; without one there is no fault. @returns the first sentence that does not hold. */
async function firstBreach(contract: Contract, number: number | 'none'): Promise<string | undefined> {
  const { fundraisingContract, openFundraising, donationV1Contract, openDonationV1 } = await import(`./${contract}.ts?mutant=${number}`) as ContractModule;
  const target = (openFundraising ?? openDonationV1)!();
  for (const { sentence, run } of (fundraisingContract ?? donationV1Contract)!) {
    target.rest();
    try {
      await run(target);
    } catch {
      return sentence;
    }
  }
  return undefined;
}

// The faults are put into the sandbox and the clients, never into somebody's platform.
delete process.env.CONTRACT_FUNDRAISING_URL;
delete process.env.CONTRACT_V1_URL;

for (const contract of ['fundraising', 'donation-v1'] as const) {
  test(`the contract ${contract} holds for sources without a fault`, async () => {
    assert.equal(await firstBreach(contract, 'none'), undefined);
  });
}

for (const [subject, mutants] of Object.entries({ sandbox: SANDBOX, clients: CLIENTS })) {
  test(`the contracts catch each of ${mutants.length} single faults of the ${subject}`, async () => {
    const survivors: Mutant[] = [];
    for (const mutant of mutants) if (await firstBreach(mutant[0], MUTANTS.indexOf(mutant)) === undefined) survivors.push(mutant);
    assert.deepEqual(survivors, []);
  });
}
