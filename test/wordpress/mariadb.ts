/**
 * A MariaDB of the tests' own: it lives in a folder that goes with it, and listens on a socket
 * there alone.
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

/** @param folder an empty one. @throws where MariaDB does not start. */
export async function startMariaDb(folder: string, database: string): Promise<MariaDb> {
  const data = join(folder, 'data');
  const socket = join(folder, 'socket');
  const first = join(folder, 'first.sql');
  await mkdir(data);
  await writeFile(first, `CREATE DATABASE ${database};`);
  // It runs as root only where it is told to. Without a table of users it needs no installation,
  // and lets everybody in who may use the socket.
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
      `--init-file=${first}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-doublewrite=0',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  for (let tries = 0; !(await answers(socket)); tries += 1) {
    if (server.exitCode !== null || tries > 600) throw new Error('MariaDB does not start');
    await setTimeout(50);
  }
  return {
    socket,
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
