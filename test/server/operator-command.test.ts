import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { FormDefinition } from '../../src/contract/form-definition.ts';
import type { Outcome } from '../../src/contract/outcome.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { listen, type Listening } from '../../src/server/listen.ts';
import { OPERATOR_KEY } from './operator-support.ts';
import { databaseUrl } from './store.ts';
import { newKey, ORIGIN } from './support.ts';

const COMMAND = 'dist/cli/index.js';
const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'secret',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret',
  OPERATOR_KEY,
};

interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Bench extends AsyncDisposable {
  run(...words: string[]): Promise<Said>;
  give(): Promise<{ status: number; body: Outcome }>;
}

async function freeListener(): Promise<Listening> {
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await free.close();
  return free;
}

/**
 * The built server with a sandbox's processor, and a platform that answers as it is told to;
 * commands are run against it.
 */
async function openBench(answer: (reference: string) => Response): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const config = join(folder, 'donation-form.config.json');
  const emulated = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    secretKey: KEYS.PAYMENT_SECRET_KEY,
  });
  const sandbox = await listen(async (request) => emulated.fetch(request), {
    host: '127.0.0.1',
    port: 0,
  });
  const platform = await listen(
    async (request) => answer(((await request.json()) as { reference: string }).reference),
    { host: '127.0.0.1', port: 0 },
  );
  const [endpoint, operator] = [await freeListener(), await freeListener()];
  const {
    organizations: [organization],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: [object] }];
  };
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: Number(new URL(endpoint.address).port) },
      operator: { port: Number(new URL(operator.address).port), key: { env: 'OPERATOR_KEY' } },
      store: 'donations.sqlite',
      organizations: [
        {
          ...organization,
          origins: [ORIGIN],
          payments: [{ ...organization.payments[0], baseUrl: `${sandbox.address}/processor` }],
          recorder: {
            kind: 'http',
            baseUrl: platform.address,
            apiKey: { env: 'FUNDRAISING_API_KEY' },
            record: { path: '/gift', body: { reference: '{reference}' }, idAt: 'gift.id' },
          },
        },
      ],
    }),
  );
  const server: ChildProcess = spawn(process.execPath, [COMMAND, 'serve', '--config', config], {
    env: { ...KEYS, ...(await databaseUrl()) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (
    let tries = 0;
    tries < 400 &&
    !(await fetch(`${endpoint.address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ));
    tries += 1
  )
    await setTimeout(25);
  let definition: { form: FormDefinition; etag: string } | undefined;

  return {
    run: (...words) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [COMMAND, ...words, '--config', config], {
          env: KEYS,
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (piece) => {
          stdout += String(piece);
        });
        child.stderr.on('data', (piece) => {
          stderr += String(piece);
        });
        child.on('close', (status) => resolve({ status, stdout, stderr }));
      }),
    async give() {
      if (!definition) {
        const response = await fetch(`${endpoint.address}/form`);
        definition = {
          etag: response.headers.get('ETag')!,
          form: (await response.json()) as FormDefinition,
        };
      }
      const tokens = await fetch(`${sandbox.address}/processor/tokens`, {
        method: 'POST',
        body: JSON.stringify({
          publicKey: 'pk_sandbox',
          number: '4242424242424242',
          expiry: '1230',
          cvc: '123',
        }),
      });
      const { token } = (await tokens.json()) as { token: string };
      const response = await fetch(`${endpoint.address}/donations`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': newKey(),
          Origin: ORIGIN,
        },
        body: JSON.stringify({
          version: 1,
          definition: definition.etag,
          gift: {
            amount: 5_000,
            currency: 'USD',
            frequency: 'once',
            coverCosts: false,
            costs: 0,
            total: 5_000,
            projects: [{ id: definition.form.projects[0].id, amount: 5_000 }],
          },
          donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
          payment: { provider: 'sandbox', method: 0, token },
          form: { id: definition.form.id, page: `${ORIGIN}/`, language: 'en' },
        }),
      });
      return { status: response.status, body: (await response.json()) as Outcome };
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await Promise.all([sandbox.close(), platform.close()]);
      emulated.close();
      await rm(folder, { recursive: true });
    },
  };
}

test(
  'gifts list, show, retry and resolve work on the running server',
  { timeout: 120_000 },
  async () => {
    let taken = '';
    await using bench = await openBench((reference) =>
      reference === taken
        ? Response.json({ gift: { id: 41 } })
        : Response.json({ message: 'no such fund' }, { status: 400 }),
    );
    assert.equal(
      (await bench.run('gifts', 'list')).stdout,
      'No such gift was given in the last 30 days.\n',
    );
    const {
      body: { reference },
    } = await bench.give();
    const {
      body: { reference: second },
    } = await bench.give();
    const list = await bench.run(
      'gifts',
      'list',
      '--state',
      'waiting',
      '--organization',
      'lanternwell',
      '--days',
      '1',
    );
    assert.match(
      list.stdout,
      new RegExp(
        `^when \\(UTC\\) +gift +organisation +donor +amount +how often +payment +platform +why\\n[\\d-]+ [\\d:]+ +${reference} +lanternwell +Ana Souza +50\\.00 USD +once +charged +waiting +no such fund\\n[\\d-]+ [\\d:]+ +${second} .*\\n$`,
      ),
    );
    assert.equal(
      (await bench.run('gifts', 'list', '--state', 'held')).stdout,
      'No such gift was given in the last 30 days.\n',
    );
    assert.match(
      (await bench.run('gifts', 'retry', reference)).stdout,
      new RegExp(`^Gift ${reference}: still waiting \\(no such fund\\)\\.\\n$`),
    );
    taken = reference;
    assert.equal(
      (await bench.run('gifts', 'retry', reference)).stdout,
      `Gift ${reference}: the platform knows.\n`,
    );
    const resolved = await bench.run(
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
    const { stdout: shown } = await bench.run('gifts', 'show', second);
    for (const part of [
      /^[\w-]{11} {2}50\.00 USD {2}Ana Souza/,
      /E-mail +ana@example\.org/,
      /Payment: charged/,
      /Gift +[\w-]+ +50\.00 USD +recorded +id 77/,
      new RegExp(
        `${userInfo().username} +Entered at the platform by hand +gift ${second}: waiting, then recorded +typed it in`,
      ),
    ])
      assert.match(shown, part);
    assert.match(
      (await bench.run('gifts', 'list', '--state', 'recorded')).stdout,
      new RegExp(`${reference}.*\\n.*${second}`),
    );
  },
);

test(
  'what the state of a gift does not allow, and words that are none, are refused with what was expected',
  { timeout: 120_000 },
  async () => {
    await using bench = await openBench(() => Response.json({ gift: { id: 41 } }));
    const {
      body: { reference },
    } = await bench.give();
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
      const { status, stderr } = await bench.run('gifts', ...words);
      assert.deepEqual([status, problem.test(stderr)], [1, true], stderr);
    }
  },
);

test('organizations pause and resume switch the running server', { timeout: 120_000 }, async () => {
  await using bench = await openBench(() => Response.json({ gift: { id: 41 } }));
  await bench.give();
  assert.match(
    (
      await bench.run(
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
  const refused = await bench.give();
  assert.deepEqual(
    [refused.status, (refused.body as unknown as { code: string }).code],
    [503, 'paused'],
  );
  assert.match(
    (await bench.run('organizations', 'list')).stdout,
    new RegExp(
      '^organisation +name +state +forms +since \\(UTC\\) +by +note\n' +
        'lanternwell +Lanternwell +paused +main, whole, many +[\\d-]+ [\\d:]+ +Bo +card testers\n$',
    ),
  );
  assert.equal((await bench.run('organizations', 'resume', 'lanternwell')).status, 0);
  assert.equal((await bench.give()).status, 200);
  assert.match(
    (await bench.run('organizations', 'pause', 'none')).stderr,
    /There is no organisation 'none'; expected one of lanternwell/,
  );
});
