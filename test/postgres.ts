/**
 * Starts PostgreSQL servers for tests, each in a temporary folder and on its own port, with every
 * commit flushed to disk.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from './free-port.ts';

export interface Postgres {
  /** URL of the first database; {@link createDatabase} creates more. */
  readonly url: string;
  /** Stops it abruptly, like a power cut. */
  readonly killServer: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Kills and restarts it. */
  readonly crash: () => Promise<void>;
  /** Stops it and removes its folder. Synchronous, so that it works in a process that exits. */
  readonly stop: () => void;
}

const INSTALL_FOLDER = '/usr/lib/postgresql';

/** Name of the database that has this release's tables and no rows; see postgres-setup.ts. */
export const MIGRATED_DATABASE = 'migrated';

/** Returns the `bin` folder of Debian's newest PostgreSQL; `undefined` if none is installed. */
export function findPostgresBinaries(): string | undefined {
  const versions = existsSync(INSTALL_FOLDER) ? readdirSync(INSTALL_FOLDER) : [];
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALL_FOLDER, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** Returns the user that runs PostgreSQL if the tests run as root, which PostgreSQL refuses. */
function findPostgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const readId = (option: string): number =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: readId('-u'), gid: readId('-g') };
}

/**
 * Starts a PostgreSQL server with an empty database.
 * @param parentFolder folder for the server's temporary folder.
 * @throws {Error} if PostgreSQL is not installed or does not start.
 */
export async function startPostgres(parentFolder = tmpdir()): Promise<Postgres> {
  const binaries = findPostgresBinaries();
  const user = findPostgresUser();
  if (binaries === undefined)
    throw new Error('PostgreSQL is not installed. Run apt-get install postgresql.');
  const folder = await mkdtemp(join(parentFolder, 'donation-form-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.stderr}`);
  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await startServer();
  // With --test-force-exit, the `finally` block of a test that timed out does not run.
  process.once('exit', stop);
  return {
    url,
    killServer,
    restart,
    crash: async () => {
      await killServer();
      await restart();
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

  async function killServer(): Promise<void> {
    const exited = once(server, 'exit');
    server.kill('SIGQUIT');
    await exited;
  }

  async function restart(): Promise<void> {
    server = await startServer();
  }

  async function startServer(): Promise<ChildProcess> {
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
    for (let attempts = 0; !(await canConnect(url)); attempts += 1) {
      if (child.exitCode !== null || attempts > 300) throw new Error('PostgreSQL did not start.');
      await setTimeout(50);
    }
    return child;
  }
}

async function canConnect(url: string): Promise<boolean> {
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
 * Creates a database on the same server.
 * @param template database to copy; an empty one by default.
 * @returns the new database's URL.
 */
export async function createDatabase(
  url: string,
  {
    name = `test_${randomUUID().replaceAll('-', '')}`,
    template = 'template1',
  }: { readonly name?: string; readonly template?: string } = {},
): Promise<string> {
  await runStatements(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

export async function runStatements(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
