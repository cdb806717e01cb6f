/**
 * The built command on real sockets, in front of a sandbox in a process of its own, with a database on
 * the disk or in a PostgreSQL.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { runStatements } from '../postgres.ts';
import { start, type OwnProcess } from './process.ts';
import { KEYS, startSandbox, type SandboxOrder, type SandboxProcess } from './sandbox.ts';

export const ORIGIN = 'http://127.0.0.1:4100';
const COMMAND = fileURLToPath(
  new URL('../../dist/donation-form-server/lib/cli.js', import.meta.url),
);
const EXAMPLE = fileURLToPath(new URL('../../demo/donation-form.config.json', import.meta.url));
const CLOCK = new URL('scaled-clock.ts', import.meta.url).href;

export interface WorldOptions {
  readonly sandbox?: SandboxOrder;
  /** A PostgreSQL; without one, the database is an SQLite file. */
  readonly postgres?: { readonly url: string } | undefined;
  /** Where the database's file is, in place of the world's folder. */
  readonly databaseFolder?: string;
  /** Words before the command's own, such as a tracer's. */
  readonly under?: readonly string[];
}

export interface ServerProcess extends OwnProcess {
  /** Such as `http://127.0.0.1:40123`. */
  readonly address: string;
}

export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly sandbox: SandboxProcess;
  /** The SQLite file, or the address of the database. */
  readonly database: { readonly file: string } | { readonly url: string };
  /** Starts a server and waits until it listens. @param port the first free one unless given. */
  readonly serve: (port?: number) => Promise<ServerProcess>;
}

/** What donors need to know of a form: its definition, and the tag that they send with a gift. */
export interface SeenForm {
  readonly etag: string;
  readonly form: FormDefinition;
}

const ADDRESS = /^Listening at (http\S+)$/m;

/** Where donor number so-and-so gives from, as the proxy before the servers says. */
export const addressOf = (donor: number): string =>
  `10.${(donor >> 16) & 255}.${(donor >> 8) & 255}.${donor & 255}`;

let databases = 0;

export async function openWorld({
  sandbox: order = {},
  postgres,
  databaseFolder,
  under = [],
}: WorldOptions = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-load-'));
  const sandbox = await startSandbox(order);
  const file = join(databaseFolder ?? folder, 'donations.sqlite');
  const config = join(folder, 'donation-form.config.json');
  const {
    organizations: [organization],
  } = JSON.parse(await readFile(EXAMPLE, 'utf8')) as {
    organizations: [{ payments: [object, object]; platform: object }];
  };
  const [card, transfer] = organization.payments;
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0, trustedProxies: 1 },
      database: file,
      organizations: [
        {
          ...organization,
          payments: [{ ...card, baseUrl: `${sandbox.address}/processor` }, transfer],
          platform: { ...organization.platform, baseUrl: sandbox.address },
        },
      ],
    }),
  );
  const database = postgres ? { url: await newDatabase(postgres.url) } : { file };
  const env = {
    ...KEYS,
    PATH: process.env.PATH,
    ...('url' in database && { DATABASE_URL: database.url }),
    ...(order.clock !== undefined && { LOAD_CLOCK: order.clock }),
  };
  const clock = order.clock === undefined ? [] : ['--import', CLOCK];
  const servers: OwnProcess[] = [];
  return {
    folder,
    sandbox,
    database,
    async serve(port = 0) {
      const words = [
        ...under,
        process.execPath,
        ...clock,
        COMMAND,
        'serve',
        '--config',
        config,
        '--port',
        String(port),
      ] as unknown as [string, ...string[]];
      const server = await start(words, { env, folder, sign: ADDRESS });
      servers.push(server);
      return { ...server, address: ADDRESS.exec(server.said())![1]! };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

export async function seeForm(address: string): Promise<SeenForm> {
  const response = await fetch(`${address}/form`);
  return { etag: response.headers.get('ETag')!, form: (await response.json()) as FormDefinition };
}

async function newDatabase(url: string): Promise<string> {
  databases += 1;
  const name = `load_${process.pid}_${databases}`;
  const own = new URL(url);
  await runStatements(url, `CREATE DATABASE ${name}`);
  own.pathname = `/${name}`;
  return own.href;
}
