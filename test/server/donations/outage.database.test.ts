/** A platform without a lookup that fails after it may have recorded donations. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReviewItem } from '../../../src/server/admin/read-models/review-items.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { ADMIN_KEY, Browser, callAdmin, startAdminServer } from '../admin/support.ts';
import { type CommandResult, getCommandThread } from '../cli/support.ts';
import type { StripeTestServer } from '../payments/support.ts';
import { readJson } from '../support.ts';
import {
  dropRequest,
  failConnection,
  isGiftCreation,
  Outage,
  removeFindGift,
  respondWith,
} from './faults.ts';
import { waitForAttempt, waitForCreationStatus } from './review-support.ts';

const MINUTE = 60_000;

type Fault = typeof dropRequest;

interface OutageServer extends AsyncDisposable {
  readonly server: StripeTestServer;
  /** Makes donations during an outage, and waits until they need review. @returns their references. */
  readonly donateDuring: (fault: Fault, count: number) => Promise<string[]>;
  readonly wait: (milliseconds: number) => void;
  readonly getTime: () => number;
  /** Waits until the platform has gifts, each sent once. */
  readonly waitForGifts: (count: number) => Promise<void>;
}

async function startOutageServer(): Promise<OutageServer> {
  let time = Date.now();
  let fault: Fault = dropRequest;
  const outage = new Outage(isGiftCreation, (request, next) => fault(request, next));
  const server = await startAdminServer({
    now: () => time,
    changePlatform: removeFindGift,
    intercept: outage.intercept,
  });
  return {
    server,
    wait: (milliseconds) => {
      time += milliseconds;
    },
    getTime: () => time,
    async donateDuring(current, count) {
      fault = current;
      outage.isDown = true;
      const references: string[] = [];
      for (let number = 0; number < count; number += 1) {
        time += 11 * MINUTE;
        const { reference } = await server.donate();
        references.push(reference);
        await waitForCreationStatus(server, reference, 'needs_review', () => (time += MINUTE));
      }
      outage.isDown = false;
      time += MINUTE;
      return references;
    },
    async waitForGifts(count) {
      await waitUntil(async () => {
        time += MINUTE;
        server.handler.start();
        return (await server.listGifts()).length === count;
      });
      assert.equal(server.sentGifts.length, count);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const findReason = async ({ repository }: StripeTestServer, reference: string) =>
  (await repository.outbox.findGiftCreation(reference))!.lastError;

async function listMatches(server: StripeTestServer, filter: object): Promise<ReviewItem[]> {
  const request = { decision: 'not-recorded', ...filter };
  const response = callAdmin(server, '/api/review-queue/matches', request);
  return (await readJson<{ items: ReviewItem[] }>(response)).items;
}

test('marks a donation for review after an ambiguous call, with the actual reason, and does not resend it', async () => {
  await using world = await startOutageServer();
  for (const [outage, reason] of [
    [respondWith(503), 'responded with status 503'],
    [respondWith(500), 'responded with status 500'],
    [respondWith(502), 'responded with status 502'],
    [failConnection('ECONNRESET'), 'the connection failed (ECONNRESET)'],
    [
      () => Promise.reject(new DOMException('timed out', 'TimeoutError')),
      'did not respond in time',
    ],
  ] as const) {
    const [reference = ''] = await world.donateDuring(outage, 1);
    assert.equal(
      await findReason(world.server, reference),
      `the platform cannot look up gifts, and ${reason}`,
    );
    world.wait(60 * MINUTE);
    await world.server.handler.runJobs();
    assert.equal(world.server.sentGifts.filter((body) => body.includes(reference)).length, 0);
  }
});

test('marks a donation for review if the server stopped during its call, and gives that reason', async () => {
  const outage = new Outage(isGiftCreation, respondWith(400));
  let time = Date.now();
  await using server = await startAdminServer({
    now: () => time,
    changePlatform: removeFindGift,
    intercept: outage.intercept,
  });
  const { reference } = await server.donate();
  await waitForAttempt(server, reference);
  const event = (await server.repository.outbox.findGiftCreation(reference))!;
  await server.repository.outbox.markDispatched(event);
  outage.isDown = false;
  await waitForCreationStatus(server, reference, 'needs_review', () => (time += MINUTE));
  assert.equal(
    await findReason(server, reference),
    'the platform cannot look up gifts, and the server stopped during the call, or the database was restored from a backup',
  );
  assert.equal(server.sentGifts.length, 0);
});

test('resolves all donations affected by one outage in one step, and no others', async () => {
  await using world = await startOutageServer();
  const { server } = world;
  const earlier = await world.donateDuring(respondWith(503), 1);
  world.wait(60 * MINUTE);
  const from = new Date(world.getTime()).toISOString();
  const held = await world.donateDuring(respondWith(503), 4);
  const to = new Date(world.getTime()).toISOString();
  const others = await world.donateDuring(respondWith(500), 2);
  const period = { reason: 'status 503', from, to };
  for (const [filter, references] of [
    [{ reason: 'status 503' }, [...earlier, ...held]],
    [{ reason: 'status_503' }, []],
    [{ organization: 'other' }, []],
    [period, held],
  ] as const)
    assert.deepEqual(
      (await listMatches(server, filter)).map(({ reference }) => reference),
      references,
    );
  const command = {
    decision: 'not-recorded',
    events: (await listMatches(server, period)).map(({ event }) => event),
    by: 'Ana',
    note: 'the platform was down',
  };
  for (const result of [
    { resolved: 4, skipped: 0 },
    { resolved: 0, skipped: 4 },
  ])
    assert.deepEqual(
      await readJson(callAdmin(server, '/api/review-queue/resolve', command)),
      result,
    );
  await world.waitForGifts(4);
  for (const reference of [...earlier, ...others])
    assert.equal(
      (await server.repository.outbox.findGiftCreation(reference))?.status,
      'needs_review',
    );
  const [first = ''] = held;
  assert.deepEqual(
    (await server.repository.reviewDecisions.listDecisions(first)).map(
      ({ decision, decidedBy: by, note }) => [decision, by, note],
    ),
    [['not-recorded', 'Ana', 'the platform was down']],
  );
});

test('resolves donations with the same reason together on the admin page', async () => {
  await using world = await startOutageServer();
  const { server } = world;
  const held = await world.donateDuring(respondWith(503), 3);
  const [other = ''] = await world.donateDuring(respondWith(500), 1);
  const browser = new Browser(server);
  await browser.signIn();
  const { html: overview } = await browser.request('/');
  assert.match(
    overview,
    /<strong>3 items<\/strong> have the same reason: the platform cannot look up gifts/,
  );
  const link = /href="(\/review\?[^"]+)"/.exec(overview)![1]!.replaceAll('&amp;', '&');
  const { html } = await browser.request(link);
  assert.match(html, /Not on the platform: send again: 3 items/);
  for (const reference of held) assert.ok(html.includes(`/donations/${reference}`));
  assert.ok(!html.includes(other));
  const fields = {
    csrf: await browser.fetchCsrfToken(link),
    decision: 'not-recorded',
    events: /name="events" value="([^"]+)"/.exec(html)![1]!.replaceAll('&quot;', '"'),
  };
  for (const notice of [
    'Items resolved as “Confirmed as not recorded on the platform”: 3.',
    'Items skipped because they no longer needed a decision: 3.',
  ]) {
    assert.equal((await browser.request('/review/resolve', fields)).status, 303);
    assert.ok((await browser.request('/')).html.includes(notice), notice);
  }
  await world.waitForGifts(3);
});

/** Runs commands against a server's admin listener. */
async function openCommandLine(
  server: StripeTestServer,
): Promise<AsyncDisposable & { readonly run: (...words: string[]) => Promise<CommandResult> }> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const listener = await listen(server.admin, { host: '127.0.0.1', port: 0 });
  const config = join(folder.path, 'donation-form.config.json');
  const example = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as object;
  const admin = { port: Number(new URL(listener.url).port), key: { env: 'ADMIN_KEY' } };
  await writeFile(config, JSON.stringify({ ...example, admin }));
  const thread = getCommandThread({ ADMIN_KEY });
  return {
    run: (...words) => thread.run(...words, '--config', config),
    async [Symbol.asyncDispose]() {
      await listener.close();
      await folder.remove();
    },
  };
}

test('donations resolve lists the donations affected by an outage, and resolves them once their number is confirmed', async () => {
  await using world = await startOutageServer();
  const { server } = world;
  const held = await world.donateDuring(respondWith(503), 2);
  await using commandLine = await openCommandLine(server);
  const runResolve = (...words: string[]): Promise<CommandResult> =>
    commandLine.run('donations', 'resolve', '--decision', 'not-recorded', ...words);
  const listed = await runResolve('--reason', 'status 503');
  for (const reference of held)
    assert.match(listed.stdout, new RegExp(`${reference} .* responded with status 503\n`));
  assert.match(listed.stdout, /Nothing was changed\. .* repeat the command with --confirm 2\.\n$/);
  const wrong = await runResolve('--reason', 'status 503', '--confirm', '3');
  assert.deepEqual([wrong.status, wrong.stdout], [1, '']);
  assert.match(
    wrong.stderr,
    /Nothing was changed, because the number of matching events is 2 instead of 3\./,
  );
  const runConfirmedResolve = (): Promise<CommandResult> =>
    runResolve('--reason', 'status 503', '--confirm', '2');
  assert.match((await runConfirmedResolve()).stdout, /Resolved 2 as not-recorded\.\n$/);
  const { status, stdout } = await runConfirmedResolve();
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^No matching event can be resolved as not-recorded yet\. .*Try again in a minute\.\n$/,
  );
  await world.waitForGifts(2);
  for (const [words, problem] of [
    [[], /Specify either a reference or at least one of --reason/],
    [['ABCDE-FGHJK', '--reason', 'x'], /Specify either a reference or at least one of --reason/],
    [['--marked-from', 'yesterday'], /from: expected a time such as 2026-11-30T23:59:00Z/],
  ] as const) {
    const rejected = await runResolve(...words);
    assert.deepEqual([rejected.status, problem.test(rejected.stderr)], [1, true], rejected.stderr);
  }
});
