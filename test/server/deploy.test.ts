import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { listen, loadConfiguration } from 'donation-form-server';
import { extractCodeBlocks } from '../code-blocks.ts';
import { getCommandThread } from './cli/support.ts';
import { LOOPBACK } from './loopback.ts';
import { createStripePayment } from './sandbox-stripe.ts';
import { createFolder } from './temporary-folder.ts';
import { createTestEnvironment, KEYS, ORIGIN } from './test-environment.ts';

const GUIDES = [
  'README',
  'debian',
  'docker',
  'postgresql',
  'reverse-proxy',
  'serverless',
  'embedding',
  'upgrading',
  'changing-keys',
  'backups',
  'payments',
  'paypal',
  'platform',
] as const;
const readGuide = (name: (typeof GUIDES)[number]): string =>
  readFileSync(`docs/server/${name}.md`, 'utf8');
/** Lists the code blocks that follow a comment with the name of their file. */
const listQuotes = (page: string) =>
  [...page.matchAll(/<!-- (\S+) -->\n+( *)```\w*\n([^]*?)\n *```/g)].map(
    ([, file, indent, text]) => ({
      file: file!,
      text: text!.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** A configuration, as far as the guides change it. */
interface Configuration {
  readonly listen: { readonly host: string; readonly port: number };
  readonly admin: { readonly port: number };
  readonly organizations: readonly [{ readonly origins: readonly string[] }];
}
const example = JSON.parse(
  readFileSync('examples/donation-form.config.json', 'utf8'),
) as Configuration;
const secretNames = [...JSON.stringify(example).matchAll(/"env":"(\w+)"/g)].map(
  ([, name]) => name!,
);

const UNIT = 'deploy/donation-form.service';
const unit = readFileSync(UNIT, 'utf8')
  .split('\n')
  .filter((line) => line.includes('=') && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
const getValues = (name: string): string[] =>
  unit.filter(([key]) => key === name).map(([, value]) => value);

test('the guides quote the files of the repository', () => {
  const quotes = GUIDES.flatMap((name) => listQuotes(readGuide(name)));
  assert.deepEqual(
    quotes.map(({ file }) => file),
    [
      'examples/donation-form.config.json',
      'deploy/Caddyfile.one',
      'deploy/nginx.conf',
      'examples/express/app.js',
    ],
  );
  for (const { file, text } of quotes) {
    const content = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) assert.deepEqual(JSON.parse(text), JSON.parse(content));
    else assert.equal(`${text}\n`, content, file);
  }
});

test('the guides link only existing files of the repository', () => {
  const linked = GUIDES.flatMap((name) =>
    [...readGuide(name).matchAll(/\]\((\.\.\/\.\.[^)#]+)/g)].map(([, path]) => path!),
  );
  assert.ok(linked.length > 8);
  for (const path of linked) assert.ok(existsSync(normalize(join('docs/server', path))), path);
});

test('the quick start sets every secret of its configuration, and its origin accepts donations', () => {
  const page = readGuide('README');
  const [, file = ''] = /cat > environment <<END\n([^]*?)\n *END$/m.exec(page)!;
  assert.deepEqual(
    [...file.matchAll(/^ *([A-Z_]+)=/gm)].map(([, name]) => name),
    secretNames,
  );
  assert.ok(readFileSync('.gitignore', 'utf8').includes('\n/environment\n'));
  const { host, port } = example.listen;
  const origin = `http://${host}:${port}`;
  assert.ok(example.organizations[0].origins.includes(origin));
  assert.ok(page.includes(`\`${origin}/donate\``));
});

test("the quick start's configuration takes a test donation", async () => {
  await using environment = await createTestEnvironment();
  const [organization] = example.organizations;
  await environment.writeConfiguration({
    organizations: [
      {
        ...organization,
        origins: [ORIGIN],
        payments: [createStripePayment(environment.sandbox.url)],
      },
    ],
  });
  const endpoint = await environment.createEndpoint();
  const listener = await listen(endpoint.fetch, LOOPBACK);
  try {
    assert.match(await (await fetch(`${listener.url}/donate`)).text(), /Test mode/);
    assert.equal((await environment.donate(listener.url)).status, 'succeeded');
  } finally {
    await listener.close();
    await endpoint.close();
  }
});

for (const name of ['debian', 'docker'] as const)
  test(`the changes that ${name}.md makes to the quick start's configuration are valid, and its environment has the same secrets`, async () => {
    const page = readGuide(name);
    const { origins, ...changes } = JSON.parse(
      `{${/```json\n([^]*?)```/.exec(page)![1]!}}`,
    ) as Configuration & { readonly origins?: readonly string[] };
    const file = join(createFolder(), 'donation-form.config.json');
    const [organization] = example.organizations;
    await writeFile(
      file,
      JSON.stringify({
        ...example,
        ...changes,
        organizations: [{ ...organization, ...(origins && { origins }) }],
      }),
    );
    const { listen, admin } = await loadConfiguration(file);
    assert.equal(listen.port, example.listen.port);
    assert.equal(admin?.port, example.admin.port);
    assert.deepEqual(
      [...page.matchAll(/^ *([A-Z_]+)=…|^ *([A-Z_]+)=\w+…/gm)].map(
        ([, one, other]) => one ?? other,
      ),
      secretNames,
    );
  });

test('uses the same files, options, and ports in the guides, the systemd unit, and the image', async () => {
  const thread = getCommandThread(KEYS);
  const debian = readGuide('debian');
  const lines = [
    ...getValues('ExecStart'),
    ...GUIDES.flatMap((name) => extractCodeBlocks(`docs/server/${name}.md`))
      .filter(({ language }) => ['sh', 'text'].includes(language))
      .flatMap(({ code }) => code.split('\n')),
  ];
  const commands = lines.flatMap((line) => [
    ...line.matchAll(/(?:^|\s)donation-form (?:-- )?([a-z]+(?: [a-z]+)?)([^&]*)/g),
  ]);
  assert.ok(commands.length > 10);
  for (const [command, words, options] of commands) {
    const { status, stdout: help } = await thread.run(...words!.split(' '), '--help');
    assert.equal(status, 0, command);
    for (const [option] of options!.matchAll(/--[a-z-]+/g))
      assert.ok(help.includes(`  ${option} `), `${command}: ${help}`);
  }
  const [environmentFile] = getValues('EnvironmentFile').map((value) => value.replace('-', ''));
  for (const page of [debian, readGuide('changing-keys'), readGuide('postgresql')])
    assert.ok(page.includes(environmentFile!));
  for (const path of [
    `${getValues('WorkingDirectory')[0]}/donation-form.config.json`,
    `/var/lib/${getValues('StateDirectory')[0]}/donations.sqlite`,
    'donation-form-server/deploy/donation-form.service',
  ])
    assert.ok(debian.includes(path), path);
  assert.ok(existsSync('dist/donation-form-server/deploy/donation-form.service'));
  const { bin, version } = JSON.parse(
    readFileSync('dist/donation-form-server/package.json', 'utf8'),
  ) as { bin: Record<string, string>; version: string };
  assert.deepEqual(getValues('ExecStart'), [`${Object.keys(bin)[0]} serve`]);
  assert.ok(debian.includes(`npm install --global ./donation-form-server-${version}.tgz`));
  const port = /^EXPOSE (\d+)$/m.exec(readFileSync('Dockerfile', 'utf8'))![1]!;
  assert.deepEqual(
    new Set(
      GUIDES.filter((name) => name !== 'platform').flatMap((name) =>
        [...readGuide(name).matchAll(/"port": (\d+)|127\.0\.0\.1:(\d+)/g)].map(
          ([, one, other]) => one ?? other,
        ),
      ),
    ),
    new Set([port, '4103', '5432']),
  );
});

test('the systemd unit starts without an environment file, and is always restarted', () => {
  // The server's own message about a missing secret is clearer than systemd's.
  assert.match(getValues('EnvironmentFile').join(), /^-\/[^,]*$/);
  assert.deepEqual(getValues('LoadCredential'), []);
  assert.deepEqual(getValues('Restart'), ['always']);
  assert.deepEqual(getValues('RestartSec'), ['2']);
  assert.deepEqual(getValues('StartLimitIntervalSec'), ['0']);
});

test("passes systemd's verification and security analysis of the unit", () => {
  const has = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!has) {
    console.warn(
      'systemd-analyze is not installed, so systemd was not asked about ' +
        'deploy/donation-form.service: apt-get install systemd',
    );
    for (const name of ['DynamicUser', 'NoNewPrivileges', 'ProtectSystem', 'SystemCallFilter'])
      assert.ok(getValues(name).length > 0, name);
    return;
  }
  const { stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
  assert.deepEqual(
    stderr
      .split('\n')
      .filter(
        (line) => line.includes('donation-form.service') && !line.includes('is not executable'),
      ),
    [],
  );
  const { stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', UNIT],
    { encoding: 'utf8' },
  );
  const exposure = Number(/exposure level for donation-form\.service: ([\d.]+)/.exec(stdout)?.[1]);
  assert.ok(exposure <= 2, stdout);
});
