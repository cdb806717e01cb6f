/**
 * Starts MariaDB servers for tests, each in a temporary folder, reachable only through a socket
 * there.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const MARIADB = '/usr/sbin/mariadbd';

export interface MariaDb {
  readonly socket: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a MariaDB server.
 * @param folder an empty folder.
 * @throws {Error} if MariaDB does not start.
 */
export async function startMariaDb(folder: string, database: string): Promise<MariaDb> {
  const data = join(folder, 'data');
  const socket = join(folder, 'socket');
  const initFile = join(folder, 'first.sql');
  await mkdir(data);
  await writeFile(initFile, `CREATE DATABASE ${database};`);
  // MariaDB runs as root only if configured to. Without grant tables, it needs no setup, and
  // every user of the socket has access.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const server = spawn(
    MARIADB,
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      '--skip-grant-tables',
      `--init-file=${initFile}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-doublewrite=0',
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  for (let attempts = 0; !(await canConnect(socket)); attempts += 1) {
    if (server.exitCode !== null || attempts > 600) throw new Error('MariaDB did not start');
    await setTimeout(50);
  }
  return {
    socket,
    stop: async () => {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

function canConnect(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
