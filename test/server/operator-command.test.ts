import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, test } from 'node:test';
import type { ProblemDetails } from '../../src/core/schemas/problem.ts';
import { listen } from '../../src/server/http/listen.ts';
import { until } from '../until.ts';
import { KEYS, openBench } from './bench.ts';
import { CommandThread, runCommand, type Ended } from './command-support.ts';

/** References of gifts that the platform refuses; `all` for any. */
let refused: ReadonlySet<string> | 'all' = new Set();
const platform = await listen(
  async (request) => {
    const { reference } = (await request.json()) as { reference: string };
    return refused === 'all' || refused.has(reference)
      ? Response.json({ message: 'no such fund' }, { status: 400 })
      : Response.json({ gift: { id: 41 } });
  },
  { host: '127.0.0.1', port: 0 },
);
const bench = await openBench({
  hasOperator: true,
  recorder: {
    kind: 'http',
    baseUrl: platform.address,
    apiKey: { env: 'FUNDRAISING_API_KEY' },
    record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'gift.id' },
  },
});
await bench.serve();
after(async () => {
  await bench[Symbol.asyncDispose]();
  await platform.close();
});

const thread = new CommandThread(KEYS);

/** Runs a command for what it says. */
const run = (...words: string[]): Promise<Ended> => thread.run(...words, '--config', bench.config);

/** Runs a command as a process of its own, which each has to be once. */
const runAlone = (...words: string[]): Promise<Ended> =>
  runCommand([...words, '--config', bench.config], { env: KEYS });

test(
  'gifts list, show, retry and resolve work on the running server',
  { timeout: 120_000 },
  async () => {
    refused = 'all';
    assert.equal(
      (await run('gifts', 'list')).stdout,
      'No such gift was given in the last 30 days.\n',
    );
    const { reference } = await bench.give();
    const { reference: second } = await bench.give();
    const listWaiting = 'gifts list --state waiting --organization lanternwell --days 1'.split(' ');
    await until(
      async () => (await run(...listWaiting)).stdout.match(/no such fund/g)?.length === 2,
    );
    assert.match(
      (await runAlone(...listWaiting)).stdout,
      new RegExp(
        `^when \\(UTC\\) +gift +organisation +donor +amount +how often +payment +platform +why\\n[\\d-]+ [\\d:]+ +${reference} +lanternwell +Ana Souza +50\\.00 USD +once +charged +waiting +no such fund\\n[\\d-]+ [\\d:]+ +${second} .*\\n$`,
      ),
    );
    assert.equal(
      (await run('gifts', 'list', '--state', 'held')).stdout,
      'No such gift was given in the last 30 days.\n',
    );
    assert.match(
      (await runAlone('gifts', 'retry', reference)).stdout,
      new RegExp(`^Gift ${reference}: still waiting \\(no such fund\\)\\.\\n$`),
    );
    refused = new Set([second]);
    assert.equal(
      (await run('gifts', 'retry', reference)).stdout,
      `Gift ${reference}: the platform knows.\n`,
    );
    const resolved = await runAlone(
      'gifts',
      'resolve',
      second,
      '--as',
      'entered',
      '--platform-id',
      '77',
      '--note',
      'typed it in',
    );
    assert.deepEqual(
      [resolved.status, resolved.stdout],
      [0, `${second}: gift ${second} was waiting, is recorded.\n`],
    );
    const { stdout: shown } = await runAlone('gifts', 'show', second);
    for (const part of [
      /^[\w-]{11} {2}50\.00 USD {2}Ana Souza/,
      /E-mail +\w+@example\.org/,
      /Payment: charged/,
      /Gift +[\w-]+ +50\.00 USD +recorded +id 77/,
      new RegExp(
        `${userInfo().username} +Entered at the platform by hand +gift ${second}: waiting, then recorded +typed it in`,
      ),
    ])
      assert.match(shown, part);
    assert.match(
      (await run('gifts', 'list', '--state', 'recorded')).stdout,
      new RegExp(`${reference}.*\\n.*${second}`),
    );
  },
);

test(
  'what the state of a gift does not allow, and words that are none, are refused with what was expected',
  { timeout: 120_000 },
  async () => {
    refused = new Set();
    const { reference } = await bench.give();
    await until(async () =>
      (await run('gifts', 'list', '--state', 'recorded')).stdout.includes(reference),
    );
    for (const [words, problem] of [
      [
        ['resolve', reference, '--as', 'charged'],
        new RegExp(
          "cannot be resolved as charged: its payment is charged, 'gift [\\w-]+' is recorded\\. " +
            'Nothing of it waits for a decision now\\.',
        ),
      ],
      [
        ['resolve', reference],
        /--as is missing\. See what can be said of it: donation-form gifts show/,
      ],
      [
        ['resolve', reference, '--as', 'done'],
        /as: found "done", expected one of charged, entered, declined/,
      ],
      [
        ['resolve', reference, '--as', 'recorded', '--platform-id', 'x'],
        /--platform-id is 'x'; expected a whole number above zero/,
      ],
      [['show', 'ABCDE-FGHJK'], /No gift has the reference ABCDE-FGHJK/],
      [['list', '--state', 'lost'], /state is 'lost'; expected one of charging, action/],
      [['list', '--days', '0'], /days is '0'; expected a number from 1/],
    ] as const) {
      const { status, stderr } = await run('gifts', ...words);
      assert.deepEqual([status, problem.test(stderr)], [1, true], stderr);
    }
  },
);

test('organizations pause and resume switch the running server', { timeout: 120_000 }, async () => {
  refused = new Set();
  assert.match(
    (
      await runAlone(
        'organizations',
        'pause',
        'lanternwell',
        '--by',
        'Bo',
        '--note',
        'card testers',
      )
    ).stdout,
    /^lanternwell takes no new gifts from now on/,
  );
  const { status, code } = (await bench.give()) as unknown as ProblemDetails;
  assert.deepEqual([status, code], [503, 'paused']);
  assert.match(
    (await runAlone('organizations', 'list')).stdout,
    new RegExp(
      '^organisation +name +state +forms +since \\(UTC\\) +by +note\n' +
        'lanternwell +Lanternwell +paused +main, whole, many +[\\d-]+ [\\d:]+ +Bo +card testers\n$',
    ),
  );
  assert.equal((await runAlone('organizations', 'resume', 'lanternwell')).status, 0);
  assert.equal((await bench.give()).state, 'succeeded');
  assert.match(
    (await run('organizations', 'pause', 'none')).stderr,
    /There is no organisation 'none'; expected one of lanternwell/,
  );
});
