import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, test } from 'node:test';
import type { ProblemDetails } from '../../../src/core/schemas/problem.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { createCommandEnvironment, KEYS } from '../command-environment.ts';
import { LOOPBACK } from '../loopback.ts';
import { type CommandResult, getCommandThread } from './support.ts';

/** References of gifts that the platform rejects; `all` for any. */
let refused: ReadonlySet<string> | 'all' = new Set();
const platform = await listen(async (request) => {
  const { reference } = (await request.json()) as { reference: string };
  return refused === 'all' || refused.has(reference)
    ? Response.json({ message: 'no such fund' }, { status: 400 })
    : Response.json({ gift: { id: 41 } });
}, LOOPBACK);
const environment = await createCommandEnvironment({
  hasAdmin: true,
  platform: {
    adapter: 'http',
    baseUrl: platform.url,
    apiKey: { env: 'FUNDRAISING_API_KEY' },
    record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'gift.id' },
  },
});
await environment.startServer();
after(async () => {
  await environment[Symbol.asyncDispose]();
  await platform.close();
});

const thread = getCommandThread(KEYS);

const runCommandWithConfig = (...words: string[]): Promise<CommandResult> =>
  thread.run(...words, '--config', environment.config);

/**
 * Retries a donation that the platform rejects until its next scheduled attempt is more than two
 * minutes away, the time limit of the test. Otherwise, an attempt in progress could hide the reason.
 */
async function retryUntilNextAttemptIsLate(reference: string): Promise<void> {
  const wasTriedOften = async (): Promise<boolean> =>
    /tried ([7-9]|\d\d) times, .*no such fund/.test(
      (await runCommandWithConfig('donations', 'show', reference)).stdout,
    );
  while (!(await wasTriedOften())) await runCommandWithConfig('donations', 'retry', reference);
}

test(
  'donations list, show, retry, and resolve call the running server',
  { timeout: 120_000 },
  async () => {
    refused = 'all';
    assert.equal(
      (await runCommandWithConfig('donations', 'list')).stdout,
      'No matching donations in the last 30 days.\n',
    );
    const { reference } = await environment.donate();
    const { reference: second } = await environment.donate();
    const listWaiting = 'donations list --status pending --organization lanternwell --days 1';
    await retryUntilNextAttemptIsLate(reference);
    await retryUntilNextAttemptIsLate(second);
    assert.match(
      (await runCommandWithConfig(...listWaiting.split(' '))).stdout,
      new RegExp(
        `^time \\(UTC\\) +reference +organization +donor +amount +frequency +payment ` +
          `+platform +reason\\n[\\d-]+ [\\d:]+ +${reference} +lanternwell +Ana Souza +50\\.00 ` +
          `USD +once +succeeded +pending +no such fund\\n[\\d-]+ [\\d:]+ +${second} .*\\n$`,
      ),
    );
    assert.equal(
      (await runCommandWithConfig('donations', 'list', '--status', 'needs_review')).stdout,
      'No matching donations in the last 30 days.\n',
    );
    assert.match(
      (await runCommandWithConfig('donations', 'retry', reference)).stdout,
      new RegExp(`^Donation ${reference}: still pending \\(no such fund\\)\\.\\n$`),
    );
    refused = new Set([second]);
    assert.equal(
      (await runCommandWithConfig('donations', 'retry', reference)).stdout,
      `Donation ${reference}: recorded on the platform.\n`,
    );
    const decision = ['--decision', 'entered', '--platform-gift-id', '77', '--note', 'typed it in'];
    const resolved = await runCommandWithConfig('donations', 'resolve', second, ...decision);
    assert.deepEqual(
      [resolved.status, resolved.stdout],
      [0, `${second}: changed donation ${second} from pending to delivered.\n`],
      resolved.stderr,
    );
    const { stdout: shown } = await runCommandWithConfig('donations', 'show', second);
    for (const part of [
      /^[\w-]{11} {2}50\.00 USD {2}Ana Souza/,
      /Email +\w+@example\.org/,
      /Payment: succeeded/,
      /Donation +[\w-]+ +50\.00 USD +delivered +id 77/,
      new RegExp(
        `${userInfo().username} +Entered on the platform manually +donation ${second}: ` +
          'pending → delivered +typed it in',
      ),
    ])
      assert.match(shown, part);
    assert.match(
      (await runCommandWithConfig('donations', 'list', '--status', 'delivered')).stdout,
      new RegExp(`${reference}.*\\n.*${second}`),
    );
  },
);

test(
  'rejects invalid decisions, references, and filters, and names the expected values',
  { timeout: 120_000 },
  async () => {
    refused = new Set();
    const { reference } = await environment.donate();
    await waitUntil(async () =>
      (await runCommandWithConfig('donations', 'list', '--status', 'delivered')).stdout.includes(
        reference,
      ),
    );
    for (const [words, problem] of [
      [
        ['resolve', reference, '--decision', 'succeeded'],
        new RegExp(
          "cannot be resolved as succeeded: the payment's status is succeeded, the status of 'donation [\\w-]+' is delivered\\. " +
            'Nothing needs review\\.',
        ),
      ],
      [
        ['resolve', reference],
        /^Missing option --decision\. Run donation-form donations resolve --help\./,
      ],
      [
        ['resolve', reference, '--decision', 'done'],
        /^Invalid value 'done' for --decision\. Allowed choices are succeeded, entered, failed/,
      ],
      [
        ['resolve', reference, '--decision', 'recorded', '--platform-gift-id', 'gift 7'],
        /platformId: .*at most 255 characters, without spaces/,
      ],
      [['show', 'ABCDE-FGHJK'], /No donation has the reference ABCDE-FGHJK/],
      [
        ['list', '--status', 'lost'],
        /^Invalid value 'lost' for --status\. Allowed choices are unconfirmed, requires_action/,
      ],
      [
        ['list', '--days', '0'],
        /^Invalid value '0' for --days\. Expected a whole number from 1 to 3660\./,
      ],
    ] as const) {
      const { status, stderr } = await runCommandWithConfig('donations', ...words);
      assert.deepEqual([status, problem.test(stderr)], [1, true], stderr);
    }
  },
);

test('mail test says why the server sends no test', { timeout: 120_000 }, async () => {
  const { stderr, status } = await runCommandWithConfig('mail', 'test', 'staff@example.org');
  assert.match(stderr, /No test was sent, because "mail" is not configured for /);
  assert.equal(status, 1);
});

test('organizations pause and resume call the running server', { timeout: 120_000 }, async () => {
  refused = new Set();
  const request = await environment.createRequest();
  const reason = ['--by', 'Bo', '--note', 'card testers'];
  const paused = await runCommandWithConfig('organizations', 'pause', 'lanternwell', ...reason);
  assert.match(paused.stdout, /^lanternwell is paused\. Within 5 seconds/);
  const { status, code } = (await environment.donate(
    undefined,
    request,
  )) as unknown as ProblemDetails;
  assert.deepEqual([status, code], [503, 'paused']);
  assert.match(
    (await runCommandWithConfig('organizations', 'list')).stdout,
    new RegExp(
      '^organization +name +status +forms +since \\(UTC\\) +by +note\n' +
        'lanternwell +Lanternwell +paused +main, full, many +[\\d-]+ [\\d:]+ +Bo +card testers\n$',
    ),
  );
  assert.equal((await runCommandWithConfig('organizations', 'resume', 'lanternwell')).status, 0);
  assert.equal((await environment.donate()).status, 'succeeded');
  assert.match(
    (await runCommandWithConfig('organizations', 'pause', 'none')).stderr,
    /Unknown organization 'none'; expected one of lanternwell/,
  );
});
