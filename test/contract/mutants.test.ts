import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

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

const FOLDER = '.mutants';
before(() => mkdir(FOLDER, { recursive: true }));
after(() => rm(FOLDER, { recursive: true }));

/** Runs a contract over a copy of the sources. @returns its exit code, and its output. */
async function runCopy(name: string, contract: Contract, change: (folder: string) => Promise<void>): Promise<{ code: number | null; output: string }> {
  const folder = join(FOLDER, name);
  for (const part of ['src/model', 'src/platform', 'src/sandbox', 'test/contract']) await cp(part, join(folder, part), { recursive: true });
  await change(folder);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--test-reporter=dot', join(folder, 'test/contract', `${contract}.test.ts`)], { env: { PATH: process.env.PATH } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => { output += String(piece); });
    child.on('close', (code) => resolve({ code, output }));
  });
}

for (const contract of ['fundraising', 'donation-v1'] as const) {
  test(`the contract ${contract} passes over a copy of the sources without a fault`, async () => {
    const { code, output } = await runCopy(`plain-${contract}`, contract, async () => undefined);
    assert.equal(code, 0, output);
  });
}

for (const [subject, mutants] of Object.entries({ sandbox: SANDBOX, clients: CLIENTS })) {
  test(`the contracts catch each of ${mutants.length} single faults of the ${subject}`, async () => {
    assert.ok(mutants.length >= 20);
    const survivors: string[] = [], waiting = [...mutants.entries()];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, [contract, file, from, to]] = next;
        const { code } = await runCopy(`${subject}-${index}`, contract, async (folder) => {
          const path = join(folder, 'src', file), text = await readFile(path, 'utf8');
          assert.ok(text.includes(from), `${file} has no ${from}`);
          await writeFile(path, text.replaceAll(from, to));
        });
        if (code === 0) survivors.push(`${file}: ${to}`);
      }
    };
    await Promise.all([worker(), worker()]);
    assert.deepEqual(survivors, []);
  });
}
