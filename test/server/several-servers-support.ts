import { randomUUID } from 'node:crypto';
import { createSandbox } from '../../src/sandbox/index.ts';
import { PLATFORM_KEY, startServer, type TestServer, type TestServerOptions } from './support.ts';

export interface TestServers extends AsyncDisposable {
  readonly servers: readonly [TestServer, TestServer];
  readonly database: string;
}

/** Starts two servers of one organization with one database, platform, and processor. */
export async function startServers(
  first: TestServerOptions = {},
  second: TestServerOptions = first,
): Promise<TestServers> {
  const database = randomUUID();
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    hourlyLimit: 100_000,
    ...(first.now && { now: () => new Date(first.now!()) }),
  });
  const servers = [
    await startServer({ ...first, database, sandbox }),
    await startServer({ ...second, database, sandbox }),
  ] as const;
  return {
    servers,
    database,
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

/** Counts how often each donation or renewal was sent to the platform by either server. */
export function countSentGifts(servers: readonly TestServer[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const body of servers.flatMap(({ sentGifts }) => sentGifts)) {
    const { reference } = JSON.parse(body) as { reference: string };
    times.set(reference, (times.get(reference) ?? 0) + 1);
  }
  return times;
}
