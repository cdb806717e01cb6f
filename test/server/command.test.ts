import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';
import { listen } from '../../src/server/http/listen.ts';
import { until } from '../until.ts';
import { KEYS, openBench, ORIGIN } from './bench.ts';
import { endAmongGifts, endWithChargeUnderWay, endWithSilentSockets } from './command-endings.ts';
import { CommandThread, runCommand } from './command-support.ts';
import { newKey } from './support.ts';

/** Runs commands for what they say; each command has also a test as a process of its own. */
const thread = new CommandThread(KEYS);

test('the command explains itself', async () => {
  const help = await runCommand(['--help']);
  assert.match(help.stdout, /donation-form serve/);
  assert.deepEqual([help.status, help.stderr], [0, '']);
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  assert.equal((await thread.run('--version')).stdout, `${version}\n`);
  const unknown = await runCommand(['fly']);
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  for (const [words, problem] of [
    [[], /Usage/],
    [['fly'], /Unknown command 'fly'; expected serve or check or drain or/],
    [['serve', 'now'], /'now' is one word too many/],
    [['serve', '--data', 'x'], /--data is no option of donation-form serve/],
    [['serve', '--colour'], /--colour/],
    [['sandbox', '--fault', 'fire'], /kind is 'fire'; expected one of decline, slow/],
    [['serve', '--empty'], /--empty is no option of donation-form serve/],
    [['sandbox', '--port', 'x'], /--port is 'x'; expected a number/],
    [['serve', '--config', 'none.json'], /none\.json: cannot be read/],
  ] as const) {
    const { status, stderr } = await thread.run(...words);
    assert.equal(status, 1);
    assert.match(stderr, problem);
    assert.doesNotMatch(stderr, /\n +at /);
  }
});

test('links check says of each link of a CSV file what would be selected and what ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'links.csv');
  await writeFile(
    file,
    '\ufeffName,Link\n"Mail, A",https://lanternwell.example/give?amt=75&Frequency=monthly&fund-code=WATER&fname=*|FNAME|*\nMail B,https://lanternwell.example/give?amt=1&fund-code=WATTER&segmetcode=X&email=ana@example.org\n',
  );
  const check = ['links', 'check', file, '--config', 'demo/donation-form.config.json'];
  const { status, stdout } = await runCommand(check);
  assert.equal(status, 1);
  assert.equal(
    stdout,
    `line 2  https://lanternwell.example/give?amt=75&Frequency=monthly&fund-code=WATER&fname=*|FNAME|*
  opens with amount $75 · monthly · project Village wells
line 3  https://lanternwell.example/give?amt=1&fund-code=WATTER&segmetcode=X&email=ana@example.org
  opens with amount $50
  ignored    amt: out of range
  ignored    fund-code: not offered
  unknown    segmetcode: did you mean segmentcode?
  personal   email: seen by everything on the link's way; a mailer's merge tag names the donor only in the mail
2 links, 1 with something that does not count
`,
  );
  await writeFile(file, 'Link\nwww.lanternwell.example/give\n');
  assert.match(
    (await thread.run(...check)).stdout,
    new RegExp(
      '^line 2 {2}www\\.lanternwell\\.example/give\n' +
        ' {2}no web address: expected one that begins with https://\n' +
        '1 link, 1 with',
    ),
  );
  await writeFile(file, 'Name\nnone\n');
  for (const [words, problem] of [
    [check, /no link was found/],
    [check.with(2, 'none.csv'), /none\.csv: cannot be read/],
    [[...check, '--form', 'x'], /--form is 'x'; expected one of main/],
    [['links', 'chek', file], /Expected: donation-form links check FILE/],
  ] as const)
    assert.match((await thread.run(...words)).stderr, problem);
  await rm(folder, { recursive: true });
});

test('a gift is recorded by a call that the configuration describes', async () => {
  await using bench = await openBench();
  const configuration = JSON.parse(readFileSync(bench.config, 'utf8')) as {
    organizations: [{ recorder: object }];
  };
  const withRecorder = (body: object): void => {
    configuration.organizations[0].recorder = {
      ...configuration.organizations[0].recorder,
      kind: 'http',
      record: { path: '/sandbox/gifts', body, idPath: 'id' },
      find: { path: '/sandbox/gifts?reference={reference}', idPath: 'items.0.id' },
    };
    writeFileSync(bench.config, JSON.stringify(configuration));
  };
  withRecorder({ reference: '{reference}', summary: '{amount}' });
  assert.match(
    (await thread.run('serve', '--config', bench.config)).stderr,
    /organizations\.0\.recorder: found \{amount\}, expected names that begin with reference, /,
  );
  withRecorder({
    reference: '{reference}',
    summary: '{donor.firstName} gave {total} {gift.currency} by the web ({reference})',
  });
  await bench.serve();
  const { reference, response } = await bench.give();
  assert.deepEqual(
    [await bench.activities(), typeof response?.giftId],
    [[`Ana gave 50.00 USD by the web (${reference})`], 'number'],
  );
});

test('links report asks the running server what its forms ignored', async () => {
  await using bench = await openBench({ hasOperator: true });
  const withoutOperator = join(bench.folder, 'without-operator.json');
  const written = JSON.parse(await readFile(bench.config, 'utf8')) as object;
  await writeFile(withoutOperator, JSON.stringify({ ...written, operator: undefined }));
  const report = ['links', 'report', '--config', bench.config];
  assert.match(
    (await thread.run('links', 'report', '--config', withoutOperator)).stderr,
    /names no operator's listener. Add "operator"/,
  );
  assert.match((await thread.run(...report)).stderr, /does not answer. Start the server/);
  await bench.serve();
  assert.equal((await thread.run(...report)).stdout, 'Nothing was ignored in the last 30 days.\n');
  await fetch(`${bench.address}/ignored-settings`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
    body: JSON.stringify({
      form: 'main',
      segment: 'MAIL26',
      ignored: [{ name: 'fund-code', reason: 'not-offered' }],
    }),
  });
  const { status, stdout } = await runCommand([...report, '--days', '7'], { env: KEYS });
  assert.deepEqual(
    [status, stdout.replace(/\d{4}-\d\d-\d\d/, 'day').replace(/ +/g, ' ')],
    [0, 'times name why segment form last on\n 1 fund-code not offered MAIL26 main day\n'],
  );
  assert.match(
    (await thread.run(...report, '--days', 'x')).stderr,
    /days is 'x'; expected a number from 1 to 90/,
  );
});

test('gifts by-hand lists what the platform takes no call for', async () => {
  const recorded: string[] = [];
  const platform = await listen(
    async (request) => {
      if (request.method === 'POST') recorded.push(await request.text());
      return Response.json({ gift: { id: 41 } });
    },
    { host: '127.0.0.1', port: 0 },
  );
  await using bench = await openBench({
    hasOperator: true,
    recorder: {
      kind: 'http',
      baseUrl: platform.address,
      apiKey: { env: 'FUNDRAISING_API_KEY' },
      record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'gift.id' },
    },
  });
  await writeFile(join(bench.folder, 'operator.key'), KEYS.OPERATOR_KEY);
  await bench.configure((written) => ({
    ...written,
    operator: { ...written.operator, key: { file: join(bench.folder, 'operator.key') } },
  }));
  await bench.serve();
  const byHand = ['gifts', 'by-hand', '--config', bench.config];
  assert.equal((await thread.run(...byHand)).stdout, 'Nothing is to be entered by hand.\n');
  const { reference } = await bench.give();
  await until(() => recorded.length > 0);
  const [payment] = await bench.payments(reference);
  await fetch(`${bench.sandbox.address}/sandbox/payments/${payment!.id}/refund`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
    body: JSON.stringify({ amount: 1_000 }),
  });
  await until(async () => (await thread.run(...byHand)).stdout.includes(reference));
  assert.match(
    (await runCommand(byHand)).stdout,
    new RegExp(
      '^when \\(UTC\\) +what +gift +amount +to do +why\n' +
        '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +refund +[\\w-]+ +10\\.00 USD +enter +the platform has no call for changes\n$',
    ),
  );
  await platform.close();
});

test('check tries everything, and exits with 1 where something is wrong', async () => {
  await using bench = await openBench();
  const check = ['check', '--config', bench.config];
  const good = await thread.run(...check);
  const bad = await runCommand(check, { env: { ...KEYS, FUNDRAISING_API_KEY: 'canary' } });
  assert.equal(good.status, 0, good.stdout);
  assert.match(
    good.stdout,
    new RegExp(
      '^ok {9}configuration +\\S+: organisations 1, forms 3\n[^]*\n' +
        'ok {9}platform key of lanternwell +the platform takes it; [^]*\n' +
        'Nothing is wrong\\.\n$',
    ),
  );
  assert.equal(bad.status, 1);
  assert.match(
    bad.stdout,
    /\nWRONG {6}platform key of lanternwell +the platform refuses it with status 401; [\s\S]*\n1 thing is wrong\.\n$/,
  );
  assert.doesNotMatch(bad.stdout, /canary/);
});

test('a bad configuration stops the start and names file, place, finding and expectation', async () => {
  await using bench = await openBench();
  const good = await readFile(bench.config, 'utf8');
  for (const [from, to, problem] of [
    [
      '"USD"',
      '"USB"',
      /organizations\.0\.forms\.0\.currencies\.0\.code: found "USB", expected an active ISO 4217 currency/,
    ],
    [
      '"value":"75"',
      '"value":"75.555"',
      /giftArray\.2\.value: found "75\.555", expected an amount in USD with 2 decimals at most/,
    ],
    [
      '"minimum":"5"',
      '"minimum":"50"',
      /giftArray\.0\.value: found 25, expected an amount from 50 to 25000/,
    ],
    [
      '"origins":["http://127.0.0.1:4100"]',
      '"origins":["http://127.0.0.1:4100/"]',
      /origins\.0: expected http:\/\/127\.0\.0\.1:4100, without the slash at its end/,
    ],
    [
      `"baseUrl":"${bench.sandbox.address}"`,
      '"baseUrl":"http://platform.example"',
      /recorder\.baseUrl: expected an https/,
    ],
    [
      `"baseUrl":"${bench.sandbox.address}"`,
      '"baseUrl":"https://user:pw@platform.example"',
      /recorder\.baseUrl: expected an https/,
    ],
    ['"store":', '"stores":', /store/],
    ['"percent":"2.9"', '"percent":"99"', /costs\.percent: expected 50 percent at most/],
    [
      '"maximum":"25000"',
      '"maximum":"99999999999"',
      /maximum: found "99999999999", expected an amount/,
    ],
    [
      '"frequencies":["once",',
      '"frequencies":["once","once",',
      /frequencies: expected each frequency once/,
    ],
    [
      '"env":"PAYMENT_SECRET_KEY"',
      '"env":"canary_secret"',
      /secretKey\.env: expected the name of an environment variable; found a text of 13 characters/,
    ],
    ['{', '', /is no JSON/],
  ] as const) {
    assert.ok(good.includes(from), from);
    await writeFile(bench.config, good.replace(from, to));
    const { message } = await loadConfiguration(bench.config)
      .then((configuration) => createEndpoint({ configuration, environment: KEYS }))
      .then(
        () => new Error('it was started'),
        (error: unknown) => error as Error,
      );
    assert.ok(
      message.startsWith(`${bench.config}: `) &&
        problem.test(message) &&
        !message.includes('canary'),
      message,
    );
  }
  assert.ok(
    !existsSync(join(dirname(bench.config), 'donations.sqlite')),
    'what is wrong is found before a store is made',
  );
  const { status, stderr } = await runCommand(['serve', '--config', bench.config], { env: KEYS });
  assert.deepEqual(
    [status, /is no JSON[^]*docs\/configuration\.md says what each field means/.test(stderr)],
    [1, true],
    stderr,
  );
});

test('a missing key, a taken port, a taken store and a missing folder are said clearly', async () => {
  await using bench = await openBench();
  const serve = ['serve', '--config', bench.config];
  const { stderr } = await runCommand(serve, { env: { PAYMENT_SECRET_KEY: 'x' } });
  assert.match(stderr, /recorder\.apiKey: the environment variable FUNDRAISING_API_KEY is not set/);
  await bench.serve();
  for (const name of ['donations.sqlite', 'donations.sqlite-wal'])
    assert.equal(statSync(join(dirname(bench.config), name)).mode & 0o777, 0o600, name);
  const sameStore = await thread.run(...serve);
  await bench.configure((written) => ({ ...written, store: 'other.sqlite' }));
  const samePort = await runCommand(serve, { env: KEYS });
  await bench.configure((written) => ({ ...written, store: '/dev/null/x.sqlite' }));
  const noFolder = await thread.run(...serve);
  assert.match(sameStore.stderr, /donations\.sqlite: another server uses this store/);
  assert.match(samePort.stderr, /port \d+ of 127\.0\.0\.1 is in use/);
  assert.match(noFolder.stderr, /\/dev\/null\/x\.sqlite: the store cannot be opened/);
  assert.deepEqual([sameStore.status, samePort.status, noFolder.status], [1, 1, 1]);
});

test(
  'SIGTERM under load lets what is in flight end, and exits with 0',
  { timeout: 120_000 },
  async () => {
    await using bench = await openBench();
    const server = await bench.serve();
    const requests = await Promise.all(Array.from({ length: 20 }, () => bench.request()));
    const release = bench.holdCharges();
    const given = requests.map((request) =>
      bench.give(newKey(), request).then(
        ({ state }) => state,
        () => 'refused',
      ),
    );
    await until(() => bench.charges() >= 5);
    const ended = server.end('SIGTERM');
    release();
    assert.equal(await ended, 0);
    const states = await Promise.all(given);
    const succeeded = states.filter((state) => state === 'succeeded').length;
    assert.ok(succeeded >= 5, states.join());
    assert.ok(
      states.every((state) => state === 'succeeded' || state === 'refused'),
      states.join(),
    );
    await bench.serve();
    await until(async () => (await bench.activities()).length >= bench.charges());
    assert.equal((await bench.activities()).length, bench.charges());
  },
);

test('SIGTERM ends the server even if sockets stay open and silent', { timeout: 60_000 }, () =>
  endWithSilentSockets({ speed: 20 }),
);

/** The most memory that a process ever had, in bytes. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024;

test(
  '20 bodies of 1 MB at once are refused whether their length is told, hidden or lied about, in less than 30 MB',
  { timeout: 60_000 },
  async () => {
    await using bench = await openBench();
    const {
      child: { pid },
    } = await bench.serve();
    const { port, hostname } = new URL(bench.address);
    const headTo = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${ORIGIN}\r\nContent-Type: application/json\r\nIdempotency-Key: ${newKey()}\r\nConnection: close\r\n`;
    const big = 'x'.repeat(1_000_000);
    const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`;
    const send = (text: string, isEnded = false): Promise<string> =>
      new Promise((resolve) => {
        const socket = createConnection(Number(port), hostname, () =>
          isEnded ? socket.end(text) : socket.write(text),
        );
        let all = '';
        socket
          .on('data', (piece) => {
            all += piece.toString();
          })
          .on('close', () => resolve(all))
          .on('error', () => resolve(all));
      });
    const kinds: Readonly<
      Record<string, readonly [expected: RegExp, send: (path: string) => Promise<string>]>
    > = {
      told: [
        /^HTTP\/1\.1 413 /,
        (path) => send(`${headTo(path)}Content-Length: ${big.length}\r\n\r\n${big}`),
      ],
      hidden: [
        /^HTTP\/1\.1 413 /,
        (path) =>
          send(
            `${headTo(path)}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
          ),
      ],
      'in pieces without end': [
        /^HTTP\/1\.1 413 /,
        (path) => send(`${headTo(path)}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`),
      ],
      'longer than told': [
        /^HTTP\/1\.1 400 /,
        (path) => send(`${headTo(path)}Content-Length: 1000\r\n\r\n${big}`),
      ],
      'shorter than told': [
        /^(HTTP\/1\.1 400 |$)/,
        (path) =>
          send(`${headTo(path)}Content-Length: 200000\r\n\r\n${big.slice(0, 100_000)}`, true),
      ],
    };
    for (let index = 0; index < 50; index += 1)
      await send(`${headTo('/donations')}Content-Length: 2\r\n\r\n{}`);
    const before = peakOf(pid!);
    await Promise.all(
      [
        '/donations',
        '/ignored-settings',
        '/donations/confirm',
        '/webhooks/sandbox/lanternwell',
      ].flatMap((path) =>
        Object.entries(kinds).map(async ([name, [expected, sendTo]]) => {
          const answer = await sendTo(path);
          // A connection that ends while its body is still sent may lose the answer on its way.
          if (answer !== '')
            assert.match(
              answer,
              path === '/donations' || name === 'told' ? expected : /^HTTP\/1\.1 4/,
              `${path} ${name}`,
            );
        }),
      ),
    );
    const more = peakOf(pid!) - before;
    assert.ok(more < 30_000_000, `${more} bytes`);
    assert.match(await kinds.told![1]('/donations'), kinds.told![0]);
  },
);

test(
  'SIGTERM among gifts: whoever asks again has each of them charged once and recorded once',
  { timeout: 120_000 },
  () => endAmongGifts({ donors: 4, gifts: 12, endAfter: [4] }),
);

test('SIGHUP makes the server read its configuration and its keys again; one that is wrong changes nothing', async () => {
  await using bench = await openBench();
  const server = await bench.serve();
  const written = await readFile(bench.config, 'utf8');
  const { stdout } = server;
  const name = async (): Promise<string> =>
    ((await (await fetch(`${bench.address}/form`)).json()) as FormDefinition).organization.name;
  const before = await name();
  await writeFile(bench.config, written.replaceAll(JSON.stringify(before), '"Lantern and Well"'));
  server.child.kill('SIGHUP');
  await until(async () => (await name()) === 'Lantern and Well');
  await writeFile(bench.config, '{');
  server.child.kill('SIGHUP');
  await until(() => stdout().includes('the configuration was read again and is wrong'));
  assert.equal(await name(), 'Lantern and Well');
  assert.equal((await bench.give()).state, 'succeeded');
});

test(
  'SIGTERM while the card processor does not answer ends the server, and the next start finds out what became of the gift',
  { timeout: 60_000 },
  () => endWithChargeUnderWay({ speed: 20 }),
);
