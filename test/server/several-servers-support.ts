import { randomUUID } from 'node:crypto';
import { createSandbox } from '../../src/sandbox/index.ts';
import { openDesk, PLATFORM_KEY, SECRET_KEY, type Desk, type DeskOptions } from './support.ts';

export interface Servers extends AsyncDisposable {
  readonly formRegistry: readonly [Desk, Desk];
  readonly database: string;
}

/** Two servers of one organisation, over one database, in front of one platform and processor. */
export async function openServers(
  first: DeskOptions = {},
  second: DeskOptions = first,
): Promise<Servers> {
  const database = randomUUID();
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    secretKey: SECRET_KEY,
    hourlyLimit: 100_000,
    ...(first.now && { now: () => new Date(first.now!()) }),
  });
  const formRegistry = [
    await openDesk({ ...first, database, sandbox }),
    await openDesk({ ...second, database, sandbox }),
  ] as const;
  return {
    formRegistry,
    database,
    [Symbol.asyncDispose]: async () => {
      for (const desk of formRegistry) await desk[Symbol.asyncDispose]();
    },
  };
}

/** How often each gift or renewal was sent to the platform, by either server. */
export function sentBy(formRegistry: readonly Desk[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const body of formRegistry.flatMap(({ sent }) => sent)) {
    const { reference } = JSON.parse(body) as { reference: string };
    times.set(reference, (times.get(reference) ?? 0) + 1);
  }
  return times;
}
