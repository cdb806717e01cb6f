/**
 * A PostgreSQL of the tests' own: a cluster in a folder that goes with it, on a socket and a port
 * of its own, with every commit on disk.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

export interface Postgres {
  /** Of its first database; {@link createDatabase} makes more. */
  readonly url: string;
  /** Ends it as a power cut would, and starts it again. */
  readonly crash: () => Promise<void>;
  /** Stops it and removes its folder. Synchronous, so that it works in a process that exits. */
  readonly stop: () => void;
}

const BINARIES = '/usr/lib/postgresql';

/** Name of the database that has all tables of this release and no rows; see postgres-setup.ts. */
export const MIGRATED_DATABASE = 'migrated';

/** Where Debian keeps the newest PostgreSQL; `undefined` where none is installed. */
export function postgresFolder(): string | undefined {
  const versions = existsSync(BINARIES)
    ? readdirSync(BINARIES)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  return versions
    .map((version) => join(BINARIES, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL does not run as root. */
function ownUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * @param within the folder that its own folder is made in.
 * @throws where PostgreSQL is not installed or does not start.
 */
export async function startPostgres(within = tmpdir()): Promise<Postgres> {
  const binaries = postgresFolder();
  const user = ownUser();
  if (binaries === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = await mkdtemp(join(within, 'donation-form-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await run();
  // Also after a test that timed out: with --test-force-exit its `finally` does not run.
  process.once('exit', stop);
  return {
    url,
    crash: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
      server = await run();
    },
    stop: () => {
      process.off('exit', stop);
      stop();
    },
  };

  function stop(): void {
    spawnSync(join(binaries!, 'pg_ctl'), ['stop', '-D', data], { ...user, cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }

  async function run(): Promise<ChildProcess> {
    const child = spawn(
      join(binaries!, 'postgres'),
      [
        '-D',
        data,
        '-k',
        folder,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'max_connections=300',
      ],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    child.unref();
    for (let tries = 0; !(await answers(url)); tries += 1) {
      if (child.exitCode !== null || tries > 300) throw new Error('PostgreSQL does not start');
      await setTimeout(50);
    }
    return child;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Creates a database beside another one of the same cluster.
 * @param template the database to copy; an empty one by default.
 * @returns its URL.
 */
export async function createDatabase(
  url: string,
  {
    name = `test_${randomUUID().replaceAll('-', '')}`,
    template = 'template1',
  }: { readonly name?: string; readonly template?: string } = {},
): Promise<string> {
  await inPostgres(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

/** Runs statements in a database of a cluster. */
export async function inPostgres(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
