import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { createCommandEnvironment, KEYS, ORIGIN } from '../command-environment.ts';
import { LOOPBACK } from '../loopback.ts';
import { createIdempotencyKey } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import {
  testShutdownAmongDonations,
  testShutdownDuringCharge,
  testShutdownWithIdleSockets,
} from './shutdown.ts';
import { getCommandThread, runCommand } from './support.ts';

const thread = getCommandThread(KEYS);

/** Splits a command line, in which arguments may have double quotes. */
const parseWords = (line: string): string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

test('prints help and its version, and explains usage errors', async () => {
  const help = await thread.run('--help');
  assert.match(help.stdout, /^ {2}serve +run the server$/m);
  assert.match(help.stdout, /^ {2}webhooks inbound show <id> /m);
  assert.deepEqual([help.status, help.stderr], [0, '']);
  assert.deepEqual(help.stdout.match(/^[A-Z][\w, ]+:$/gm), [
    'Options:',
    'Run:',
    'Records:',
    'Donations and donors:',
    'Organizations, links, and settings:',
    'Staff:',
    'Mail:',
    'Webhooks:',
    'Exit codes:',
  ]);
  const names = [...help.stdout.matchAll(/^ {2}([a-z][a-z -]*[a-z])(?: <\w+>)* {2,}/gm)];
  assert.equal(names.length, 46);
  for (const [, name] of names) {
    const { stdout } = await thread.run(...name!.split(' '), '--help');
    const [, example] = /\nExample:\n {2}donation-form (.*)\n/.exec(stdout) ?? [];
    assert.ok(example?.startsWith(name!), name);
    const { stderr } = await thread.run(...parseWords(example!), '--config', 'absent.json');
    assert.match(
      stderr,
      name === 'sandbox' || name === 'verify'
        ? /Unknown option '--config'/
        : /Cannot read absent\.json/,
    );
  }
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  assert.equal((await thread.run('--version')).stdout, `${version}\n`);
  const unknown = await runCommand(['fly']);
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  for (const [words, problem] of [
    [[], /^Usage: donation-form /],
    [['donations'], /^Usage: donation-form donations /],
    [['fly'], /^Unknown command 'fly'\. Run donation-form --help\.$/m],
    [
      ['links', 'chek', 'x'],
      /^Unknown command 'chek'\. Did you mean check\? Run donation-form links --help\.$/m,
    ],
    [['serve', 'now'], /^Unexpected argument 'now'\. Run donation-form serve --help\.$/m],
    [['serve', '--empty'], /^Unknown option '--empty'\. Run donation-form serve --help\.$/m],
    [['serve', '--confg', 'x'], /^Unknown option '--confg'\. Did you mean --config\? Run /],
    [['serve', '--config'], /^Missing value for --config\. Run donation-form serve --help\.$/m],
    [['donations', 'show'], /^Missing argument <reference>\. Run donation-form donations show /],
    [['reconcile', '--from', '2026-11-01'], /^Missing option --to\. Run donation-form reconcile /],
    [['donors', 'delete', 'ana@example.org'], /^Missing option --by\. Run /],
    [['upgrade'], /^Missing option --check\. Run donation-form upgrade --help\.$/m],
    [['restore', 'x.sqlite'], /^Missing option --dry-run\. Run donation-form restore --help\.$/m],
    [['sandbox', '--fault', 'fire'], /kind is 'fire'; expected one of decline, slow/],
    [
      ['sandbox', '--port', 'x'],
      /^Invalid value 'x' for --port\. Expected a whole number from 0 to 65535\. Run donation-form sandbox --help\.$/m,
    ],
    [['serve', '--config', 'none.json'], /Cannot read .*none\.json/],
  ] as const) {
    const { status, stderr } = await thread.run(...words);
    assert.equal(status, 1);
    assert.match(stderr, problem);
    assert.doesNotMatch(stderr, /\n +at /);
  }
});

test('links check prints what each link in a CSV file selects and what is ignored', async () => {
  const file = join(createFolder(), 'links.csv');
  await writeFile(
    file,
    '\ufeffName,Link\n"Mail, ' +
      'A",http://127.0.0.1:4100/give?amt=75&Frequency=monthly&fund-code=WATER&fname=*|FNAME|*\n' +
      'Mail B,http://127.0.0.1:4100/give?amt=1&fund-code=WATTER&segmetcode=X&email=ana@example.org&lang=de&audience=a&src=#amt=50\n' +
      'Mail C,https://www.lanternwell.example/give?amt=75\n',
  );
  const check = ['links', 'check', file, '--config', 'demo/donation-form.config.json'];
  const { status, stdout } = await thread.run(...check);
  assert.equal(status, 1);
  assert.equal(
    stdout,
    `line 2  http://127.0.0.1:4100/give?amt=75&Frequency=monthly&fund-code=WATER&fname=*|FNAME|*
  selects amount $75 · monthly · project Village wells
line 3  http://127.0.0.1:4100/give?amt=1&fund-code=WATTER&segmetcode=X&email=ana@example.org&lang=de&audience=a&src=#amt=50
  selects no amount, frequency, currency, project, or segment
  ignored    amt: the value is below the minimum or above the maximum; enter an amount from $5 to $25,000
  ignored    fund-code: this form does not offer this value; it offers GENERAL, WATER, SCHOOL, RIVER
  unknown    segmetcode is not a parameter of this form. Did you mean segmentcode?
  ignored    amt comes after the #, where the form does not read it. Move it before the #.
  personal   email: mail servers and analytics can read this personal data; use a merge tag instead so that only the donor's own email contains it
  empty      src: the parameter is empty, so the link does not set it
  language   lang: forms do not read the language from a link; link to a page in that language
  not read   audience: forms do not read this parameter, but the page may
line 4  https://www.lanternwell.example/give?amt=75
  selects amount $75
  site       The form does not appear on https://www.lanternwell.example yet. Ask the administrator of the donation server to add exactly https://www.lanternwell.example to “origins” in the configuration. An origin with www. differs from one without www. If this is a shortened link, check the long link instead.
3 links, 2 with problems
`,
  );
  await writeFile(file, 'Link\nwww.lanternwell.example/give\n');
  assert.match(
    (await thread.run(...check)).stdout,
    new RegExp(
      '^line 2 {2}www\\.lanternwell\\.example/give\n' +
        ' {2}not a URL: expected a link that starts with https://\n' +
        '1 link, 1 with',
    ),
  );
  await writeFile(file, 'Name\nnone\n');
  for (const [words, problem] of [
    [check, /links\.csv contains no links\. Expected /],
    [check.with(2, 'none.csv'), /^Cannot read none\.csv: ENOENT/],
    [[...check, '--form', 'x'], /^Unknown form 'x' in --form\. Expected one of main/],
  ] as const)
    assert.match((await thread.run(...words)).stderr, problem);
});

test('records a donation with the configured call', async () => {
  await using environment = await createCommandEnvironment();
  const configurePlatform = (body: object): Promise<void> =>
    environment.changeConfiguration(({ organizations: [organization], ...written }) => ({
      ...written,
      organizations: [
        {
          ...organization,
          platform: {
            ...organization.platform,
            adapter: 'http',
            record: { path: '/sandbox/gifts', body, idPath: 'id' },
            find: { path: '/sandbox/gifts?reference={reference}', idPath: 'items.0.id' },
          },
        },
      ],
    }));
  await configurePlatform({ reference: '{reference}', summary: '{amount}' });
  assert.match(
    (await thread.run('serve', '--config', environment.config)).stderr,
    new RegExp(
      'organizations\\.0\\.platform: found \\{amount\\}; expected placeholders that start with ' +
        'one of these names: reference, ',
    ),
  );
  await configurePlatform({
    reference: '{reference}',
    summary: '{donor.firstName} gave {total} {gift.currency} by the web ({reference})',
  });
  await environment.startServer();
  const key = createIdempotencyKey();
  const { reference } = await environment.donate(key);
  // On a busy machine, the platform records the donation after the first response.
  await waitUntil(async () => typeof (await environment.donate(key)).response?.giftId === 'number');
  assert.deepEqual(await environment.listActivities(), [
    `Ana gave 50.00 USD by the web (${reference})`,
  ]);
});

test('settings report lists what the forms of the running server ignored', async () => {
  await using environment = await createCommandEnvironment({ hasAdmin: true });
  const withoutAdmin = join(environment.folder, 'without-admin.json');
  const written = JSON.parse(await readFile(environment.config, 'utf8')) as object;
  await writeFile(withoutAdmin, JSON.stringify({ ...written, admin: undefined }));
  const report = ['settings', 'report', '--config', environment.config];
  assert.match(
    (await thread.run('settings', 'report', '--config', withoutAdmin)).stderr,
    /This command requires an admin listener, but .* does not configure one\. Add "admin"/,
  );
  assert.match(
    (await thread.run(...report)).stderr,
    /^No server is responding at http:\S+\. Start the server with the same configuration: donation-form serve /,
  );
  await environment.startServer();
  assert.equal(
    (await thread.run(...report)).stdout,
    'Forms ignored no settings in the last 30 days.\n',
  );
  const ignored = [{ name: 'fund-code', reason: 'not-offered' }];
  await fetch(`${environment.url}/settings-report`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
    body: JSON.stringify({ form: 'main', segment: 'MAIL26', ignored }),
  });
  const { status, stdout } = await thread.run(...report, '--days', '7');
  assert.deepEqual(
    [status, stdout.replace(/\d{4}-\d\d-\d\d/, 'day').replace(/ +/g, ' ')],
    [
      0,
      'count name reason segment form last seen\n 1 fund-code this form does not offer this value MAIL26 main day\n',
    ],
  );
  assert.match(
    (await thread.run(...report, '--days', 'x')).stderr,
    /^Invalid value 'x' for --days\. Expected a whole number from 1 to 90\./,
  );
});

test('donations review lists changes for which the platform has no call', async () => {
  const recorded: string[] = [];
  const platform = await listen(async (request) => {
    if (request.method === 'POST') recorded.push(await request.text());
    return Response.json({ gift: { id: 41 } });
  }, LOOPBACK);
  await using environment = await createCommandEnvironment({
    hasAdmin: true,
    platform: {
      adapter: 'http',
      baseUrl: platform.url,
      apiKey: { env: 'FUNDRAISING_API_KEY' },
      record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'gift.id' },
    },
  });
  await writeFile(join(environment.folder, 'admin.key'), KEYS.ADMIN_KEY);
  await environment.changeConfiguration((written) => ({
    ...written,
    admin: { ...written.admin, key: { file: join(environment.folder, 'admin.key') } },
  }));
  await environment.startServer();
  const review = ['donations', 'review', '--config', environment.config];
  const empty = await thread.run(...review);
  assert.deepEqual([empty.status, empty.stdout], [0, 'No donation needs review.\n']);
  const { reference } = await environment.donate();
  await waitUntil(() => recorded.length > 0);
  const [charge] = await environment.listCharges(reference);
  const payment = charge!.payment_intent as string;
  await fetch(`${environment.sandbox.url}/sandbox/payments/${payment}/refund`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
    body: JSON.stringify({ amount: 1_000 }),
  });
  await waitUntil(async () => (await thread.run(...review)).stdout.includes(reference));
  const full = await thread.run(...review);
  assert.equal(full.status, 1);
  assert.match(
    full.stdout,
    new RegExp(
      '^time \\(UTC\\) +event +reference +amount +to do +reason\n' +
        '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +refund +[\\w-]+ +10\\.00 USD +enter +the ' +
        'platform adapter does not support gift updates\n$',
    ),
  );
  await platform.close();
});

test('check runs all checks, and exits with 1 if one fails', async () => {
  await using environment = await createCommandEnvironment();
  const unreachable = 'http://127.0.0.1:1';
  const config = await readFile(environment.config, 'utf8');
  await writeFile(environment.config, config.replace(ORIGIN, unreachable));
  const check = ['check', '--config', environment.config];
  const good = await thread.run(...check);
  const bad = await runCommand(check, { env: { ...KEYS, FUNDRAISING_API_KEY: 'canary' } });
  assert.equal(good.status, 0, good.stdout);
  assert.match(
    good.stdout,
    new RegExp(
      `^WARNING {2}origin ${unreachable} for lanternwell +This machine cannot reach the website .*\n` +
        'skipped {2}admin .*\nskipped {2}alerts .*\nskipped {2}mail for lanternwell .*\n' +
        'pass {5}configuration +\\S+ is valid\\. Organizations: 1\\. Forms: 3\\.\n[^]*\n' +
        'pass {5}platform key for lanternwell +The platform accepts the key\\. [^]*\n' +
        'No check failed\\. 1 warning\\.\n$',
    ),
  );
  assert.equal(bad.status, 1);
  assert.match(
    bad.stdout,
    /^FAIL {5}platform key for lanternwell +The platform rejected the key .*401\. .*\n[^]*\n1 check failed\./,
  );
  assert.doesNotMatch(bad.stdout, /canary/);
});

test('refuses to start with an invalid configuration', async () => {
  await using environment = await createCommandEnvironment();
  await writeFile(environment.config, '{');
  const serve = ['serve', '--config', environment.config];
  const { status, stderr } = await thread.run(...serve);
  assert.equal(status, 1);
  assert.match(stderr, /invalid JSON[^]*docs\/reference\/configuration\.md describes every field/);
});

test('reports a missing key, a port or database in use, and an invalid folder', async () => {
  await using environment = await createCommandEnvironment();
  const serve = ['serve', '--config', environment.config];
  const { stderr } = await runCommand(serve, { env: { PAYMENT_SECRET_KEY: 'x' } });
  assert.match(stderr, /platform\.apiKey: the FUNDRAISING_API_KEY environment variable is not set/);
  await environment.startServer();
  for (const name of ['donations.sqlite', 'donations.sqlite-wal'])
    assert.equal(statSync(join(environment.folder, name)).mode & 0o777, 0o600, name);
  const sameDatabase = await thread.run(...serve);
  await environment.changeConfiguration((written) => ({ ...written, database: 'other.sqlite' }));
  // In a process, because it must end although the database was open.
  const samePort = await runCommand(serve, { env: KEYS });
  await environment.changeConfiguration((written) => ({
    ...written,
    database: '/dev/null/x.sqlite',
  }));
  const noFolder = await thread.run(...serve);
  assert.match(sameDatabase.stderr, /donations\.sqlite is in use by another process\./);
  assert.match(samePort.stderr, /Port \d+ on 127\.0\.0\.1 is in use\. Stop the program/);
  assert.match(noFolder.stderr, /\/dev\/null\/x\.sqlite: cannot open the database: /);
  assert.deepEqual([sameDatabase.status, samePort.status, noFolder.status], [1, 1, 1]);
});

test(
  'finishes requests in progress on SIGTERM under load, and exits with 0',
  { timeout: 120_000 },
  async () => {
    await using environment = await createCommandEnvironment();
    const server = await environment.startServer();
    const requests = await Promise.all(
      Array.from({ length: 20 }, () => environment.createRequest()),
    );
    const release = environment.holdCharges();
    const options = requests.map((request) =>
      environment.donate(createIdempotencyKey(), request).then(
        ({ status }) => status,
        () => 'refused',
      ),
    );
    await waitUntil(() => environment.countCharges() >= 5);
    const ended = server.stop('SIGTERM');
    release();
    assert.equal(await ended, 0);
    const states = await Promise.all(options);
    const succeeded = states.filter((state) => state === 'succeeded').length;
    assert.ok(succeeded >= 5, states.join());
    assert.ok(
      states.every((state) => state === 'succeeded' || state === 'refused'),
      states.join(),
    );
    await environment.startServer();
    await waitUntil(
      async () => (await environment.listActivities()).length >= environment.countCharges(),
    );
    assert.equal((await environment.listActivities()).length, environment.countCharges());
  },
);

test('stops on SIGTERM even if clients keep idle sockets open', { timeout: 60_000 }, () =>
  testShutdownWithIdleSockets({ speed: 20 }),
);

const getPeakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024;

test(
  'rejects 20 concurrent bodies of 1 MB with less than 30 MB of memory, whatever their Content-Length',
  { timeout: 60_000 },
  async () => {
    await using environment = await createCommandEnvironment();
    const {
      child: { pid },
    } = await environment.startServer();
    const { port, hostname } = new URL(environment.url);
    const createRequestHead = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${ORIGIN}\r\n` +
      `Content-Type: application/json\r\nIdempotency-Key: ${createIdempotencyKey()}\r\n` +
      `Connection: close\r\n`;
    const big = 'x'.repeat(1_000_000);
    const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`;
    const sendOverSocket = (text: string, isEnded = false): Promise<string> =>
      new Promise((resolve) => {
        const socket = createConnection(Number(port), hostname, () =>
          isEnded ? socket.end(text) : socket.write(text),
        );
        let all = '';
        socket
          .on('data', (chunk) => {
            all += chunk.toString();
          })
          .on('error', () => undefined)
          .on('close', () => resolve(all));
      });
    const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
    const kinds: Readonly<
      Record<string, readonly [expected: RegExp, rest: string, isEnded?: boolean]>
    > = {
      'with Content-Length': [/^HTTP\/1\.1 413 /, `Content-Length: ${big.length}\r\n\r\n${big}`],
      'in one chunk': [
        /^HTTP\/1\.1 413 /,
        `${chunked}${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
      ],
      'in chunks without end': [/^HTTP\/1\.1 413 /, chunked + chunk.repeat(20)],
      'longer than Content-Length': [/^HTTP\/1\.1 400 /, `Content-Length: 1000\r\n\r\n${big}`],
      'shorter than Content-Length': [
        /^(HTTP\/1\.1 400 |$)/,
        `Content-Length: 200000\r\n\r\n${big.slice(0, 100_000)}`,
        true,
      ],
    };
    const sendKind = (path: string, [, rest, isEnded]: (typeof kinds)['']): Promise<string> =>
      sendOverSocket(createRequestHead(path) + rest, isEnded);
    for (let index = 0; index < 50; index += 1)
      await sendOverSocket(`${createRequestHead('/donations')}Content-Length: 2\r\n\r\n{}`);
    const before = getPeakMemory(pid!);
    await Promise.all(
      [
        '/donations',
        '/settings-report',
        '/donations/confirm',
        '/webhooks/sandbox/lanternwell',
      ].flatMap((path) =>
        Object.entries(kinds).map(async ([name, kind]) => {
          const answer = await sendKind(path, kind);
          // The response can be lost if the server closes the connection during the body.
          if (answer !== '')
            assert.match(
              answer,
              path === '/donations' || name === 'with Content-Length' ? kind[0] : /^HTTP\/1\.1 4/,
              `${path} ${name}`,
            );
        }),
      ),
    );
    const more = getPeakMemory(pid!) - before;
    assert.ok(more < 30_000_000, `${more} bytes`);
    assert.match(await sendKind('/donations', kinds['with Content-Length']!), /^HTTP\/1\.1 413 /);
  },
);

test(
  'charges and records each donation once if the server restarts among them',
  { timeout: 120_000 },
  () => testShutdownAmongDonations({ donors: 4, donations: 12, restartAfter: [4] }),
);

test('reloads the configuration and keys on SIGHUP, and ignores an invalid one', async () => {
  await using environment = await createCommandEnvironment();
  const server = await environment.startServer();
  const written = await readFile(environment.config, 'utf8');
  const { stdout } = server;
  const fetchOrganizationName = async (): Promise<string> =>
    ((await (await fetch(`${environment.url}/form`)).json()) as FormDefinition).organization.name;
  const before = await fetchOrganizationName();
  await writeFile(
    environment.config,
    written.replaceAll(JSON.stringify(before), '"Lantern and Well"'),
  );
  server.child.kill('SIGHUP');
  await waitUntil(async () => (await fetchOrganizationName()) === 'Lantern and Well');
  await writeFile(environment.config, '{');
  server.child.kill('SIGHUP');
  await waitUntil(() => stdout().includes('cannot reload the configuration'));
  assert.equal(await fetchOrganizationName(), 'Lantern and Well');
  assert.equal((await environment.donate()).status, 'succeeded');
});

test(
  'stops on SIGTERM while a charge is in progress, and looks up the charge at the next start',
  { timeout: 60_000 },
  () => testShutdownDuringCharge({ speed: 20 }),
);
