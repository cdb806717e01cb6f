import { listen } from '../../src/server/http/listen.ts';

/** Makes `listen` choose a free port of this machine. */
export const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

export async function findFreePort(): Promise<number> {
  const listener = await listen(() => new Response(), LOOPBACK);
  await listener.close();
  return Number(new URL(listener.url).port);
}
