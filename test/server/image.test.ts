import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { packTarball } from '../tarballs.ts';
import { waitUntil } from '../wait-until.ts';
import { findFreePort } from './loopback.ts';
import { createTestEnvironment, KEYS } from './test-environment.ts';

const dockerfile = await readFile('Dockerfile', 'utf8');

/** Arguments of the Dockerfile's instructions of one kind, without flags. */
const getArguments = (keyword: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${keyword} (?:--\\S+ )*(.+)$`, 'gm'))].map(
    ([, content]) => content!,
  );

/** The build can copy only the files that .dockerignore lists after an exclamation mark. */
const allowedPaths = (await readFile('.dockerignore', 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

test('includes every file that scripts/build.ts names in the build context', async () => {
  const script = await readFile('scripts/build.ts', 'utf8');
  const named = [...script.matchAll(/'((?:\.\.\/)?[\w./-]+)'/g)]
    .map(([, path]) => path!.replace('../', ''))
    .filter((path) => existsSync(path) && !/^(dist|node_modules)\b/.test(path));
  assert.ok(named.length >= 12);
  for (const path of new Set([...named, 'scripts', 'src', 'test/package.json', 'tsconfig.json']))
    assert.ok(
      allowedPaths.some((one) => path === one || path.startsWith(`${one}/`)),
      path,
    );
});

test('validates the compose files against the specification, and finds every file and name in them', async () => {
  // The schema of github.com/compose-spec/compose-spec, schema/compose-spec.json (Apache-2.0). It
  // names draft 7 by a nonstandard URL.
  const schema = {
    ...(JSON.parse(await readFile('test/server/compose-spec.json', 'utf8')) as object),
    $schema: 'http://json-schema.org/draft-07/schema#',
  };
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const isCompose = ajv.compile(schema);
  interface Compose {
    services: Record<
      string,
      {
        ports?: string[];
        volumes?: string[];
        networks?: string[];
        depends_on?: object;
        read_only?: boolean;
        tmpfs?: string[];
      }
    >;
    volumes: object;
    networks?: object;
  }
  const readCompose = async (file: string): Promise<Compose> =>
    parse(await readFile(file, 'utf8')) as Compose;
  const one = await readCompose('deploy/compose.yml');
  const several = await readCompose('deploy/compose.several.yml');
  for (const compose of [one, several])
    assert.ok(isCompose(compose), JSON.stringify(isCompose.errors));
  const names = {
    services: Object.keys({ ...one.services, ...several.services }),
    volumes: Object.keys({ ...one.volumes, ...several.volumes }),
    networks: Object.keys(one.networks!),
  };
  for (const service of [one, several].flatMap(({ services }) => Object.values(services))) {
    for (const network of service.networks ?? [])
      assert.ok(names.networks.includes(network), network);
    for (const other of Object.keys(service.depends_on ?? {}))
      assert.ok(names.services.includes(other), other);
    for (const source of (service.volumes ?? []).map((volume) => volume.split(':')[0]!)) {
      assert.ok(
        source.startsWith('./')
          ? source === './donation-form.config.json' || existsSync(join('deploy', source))
          : names.volumes.includes(source),
        source,
      );
    }
  }
  for (const { read_only: isReadOnly, tmpfs } of Object.values(one.services))
    assert.deepEqual(tmpfs, isReadOnly ? ['/tmp'] : undefined);
  assert.ok(
    (await readFile('deploy/Caddyfile', 'utf8')).includes(`endpoint ${getArguments('EXPOSE')[0]}`),
  );
});

test('compose.yml reads the files that docs/server/docker.md creates, and publishes the admin listener on this machine only', async () => {
  const {
    services: { endpoint },
  } = parse(await readFile('deploy/compose.yml', 'utf8')) as {
    services: { endpoint: { ports?: string[]; env_file?: string; secrets?: string[] } };
  };
  const page = await readFile('docs/server/docker.md', 'utf8');
  const [, port] = /"admin": \{ "host": "0\.0\.0\.0", "port": (\d+)/.exec(page)!;
  assert.deepEqual(endpoint.ports, [`127.0.0.1:\${ADMIN_PORT:-${port}}:${port}`]);
  assert.ok(page.includes(` ${join('deploy', endpoint.env_file!)}\n`));
  assert.ok(page.includes(' deploy/donation-form.config.json\n'));
  assert.ok(readFileSync('.gitignore', 'utf8').includes('\ndeploy/private/\n'));
  // Compose does not start if the file of a secret is missing.
  assert.equal(endpoint.secrets, undefined);
});

/** Installs the tarball into a folder, as the last stage of the image does. */
async function createImage(): Promise<{ folder: string; app: string }> {
  await mkdir('test-results', { recursive: true });
  const folder = await mkdtemp(resolve('test-results', 'image-'));
  const app = join(folder, 'app');
  await chmod(folder, 0o755);
  const install = getArguments('RUN').find((command) => command.startsWith('npm install'))!;
  const { path } = packTarball('donation-form-server', folder);
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', install.replace('/app', app).replace(/\S+\.tgz/, path)],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return { folder, app };
}

test(
  "runs the image's files as an unprivileged PID 1 on a read-only file system with /data, streams a long report, and stops on SIGTERM",
  { timeout: 120_000 },
  async () => {
    await using environment = await createTestEnvironment();
    const { folder, app } = await createImage();

    const port = await findFreePort();
    const data = join(folder, 'data');
    const etc = join(folder, 'etc');
    for (const path of [data, etc]) await mkdir(path);
    const { organizations } = JSON.parse(await readFile(environment.config, 'utf8')) as {
      organizations: object[];
    };
    await writeFile(
      join(etc, 'donation-form.config.json'),
      JSON.stringify({
        listen: { host: '127.0.0.1', port },
        database: '/data/donations.sqlite',
        organizations,
      }),
    );
    const USER = 1_000;
    const isRoot = process.getuid!() === 0;
    if (isRoot) await chown(data, USER, USER);
    const [program, ...words] = [
      ...(JSON.parse(getArguments('ENTRYPOINT')[0]!) as string[]),
      ...(JSON.parse(getArguments('CMD').at(-1)!) as string[]),
    ] as [string, ...string[]];
    const {
      services: {
        endpoint: { tmpfs: mounted = [] },
      },
    } = parse(await readFile('deploy/compose.yml', 'utf8')) as {
      services: { endpoint: { tmpfs?: string[] } };
    };
    const [, imagePath = ''] = / PATH=(\S+)/.exec(getArguments('ENV').join(' '))!;
    const variables = {
      PATH: imagePath.replace('$PATH', '/run/bin:/usr/bin'),
      NODE_ENV: 'production',
      ...KEYS,
    };
    const options = [
      ['--ro-bind', '/usr', '/usr'],
      ...['lib', 'lib64', 'bin'].map((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ['--proc', '/proc', '--dev', '/dev'],
      ['--ro-bind', resolve('node_modules/.bin/node'), '/run/bin/node'],
      ['--ro-bind', app, '/app'],
      ['--bind', data, '/data'],
      ['--ro-bind', etc, '/etc/donation-form'],
      ...mounted.map((path) => ['--tmpfs', path]),
      ['--remount-ro', '/', '--unshare-pid', '--as-pid-1', '--die-with-parent', '--clearenv'],
      ...Object.entries(variables).map((variable) => ['--setenv', ...variable]),
      ['--chdir', getArguments('WORKDIR').at(-1)!],
    ];
    const command = [
      ...(isRoot
        ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--no-new-privs']
        : []),
      'bwrap',
      ...options.flat(),
    ];
    const runScript = (script: string) =>
      spawnSync(command[0]!, [...command.slice(1), 'node', '-e', script], { encoding: 'utf8' });
    const look = runScript(
      "const tried = (path) => { try { fs.writeFileSync(path, ''); return 'written'; } " +
        'catch ({ code }) { return code; } }; console.log(JSON.stringify([process.pid, ' +
        "process.getuid(), ...['/app/x', '/x', '/etc/donation-form/x', '/usr/x', " +
        "'/data/x'].map(tried)]))",
    );
    assert.deepEqual(JSON.parse(look.stdout || `"${look.stderr}"`), [
      1,
      isRoot ? USER : process.getuid!(),
      'EROFS',
      'EROFS',
      'EROFS',
      'EROFS',
      'written',
    ]);

    // A report compares payments in a temporary SQLite database, which SQLite writes to a file.
    const report = runScript(
      "const { DatabaseSync } = require('node:sqlite'); const database = new " +
        "DatabaseSync(''); database.exec('CREATE TABLE payments (id TEXT UNIQUE, record " +
        "TEXT); BEGIN'); const insert = database.prepare('INSERT INTO payments VALUES (?, " +
        "?)'); for (let index = 0; index < 20_000; index += 1) insert.run(`pi_${index}`, " +
        "'x'.repeat(200))",
    );
    assert.deepEqual([report.status, report.stderr], [0, '']);

    const server = spawn(command[0]!, [...command.slice(1), program, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let result = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk) => {
        result += String(chunk);
      });
    const ended = once(server, 'exit');
    const address = `http://127.0.0.1:${port}`;
    const [checker, ...health] = JSON.parse(
      getArguments('HEALTHCHECK')[0]!.replace(/^CMD /, ''),
    ) as [string, ...string[]];
    const isHealthy = (): boolean =>
      spawnSync(
        checker,
        health.map((word) => word.replace(`:${getArguments('EXPOSE')[0]}/`, `:${port}/`)),
      ).status === 0;
    await waitUntil(() =>
      fetch(`${address}/healthz`).then(
        ({ ok }) => ok,
        () => {
          assert.equal(server.exitCode, null, result);
          return false;
        },
      ),
    );
    assert.ok(isHealthy(), result);
    assert.equal((await environment.donate(address)).status, 'succeeded');
    assert.equal((await fetch(`${address}/donation-form.js`)).status, 200);
    const [first] = (
      await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
    ).split(' ');
    process.kill(Number(first), 'SIGTERM');
    const [code] = (await ended) as [number | null];
    assert.equal(code, 0, result);
    assert.ok(existsSync(join(data, 'donations.sqlite')));
    await rm(folder, { recursive: true });
  },
);
