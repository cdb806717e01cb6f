import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Senders that hold a socket and never finish a request. */
const SENDERS: readonly { readonly start: string; readonly drip: string }[] = [
  { start: '', drip: '' },
  { start: 'GET /form HT', drip: '' },
  { start: 'GET /form HTTP/1.1\r\nHost: x\r\n', drip: 'X-Slow: 1\r\n' },
  {
    start:
      'POST /donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3000\r\n\r\n{',
    drip: ' ',
  },
  {
    start:
      'POST /donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    drip: '1\r\n \r\n',
  },
  { start: 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n', drip: ' ' },
  {
    start: 'PUT /form HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3000\r\n\r\n',
    drip: '',
  },
  { start: 'GET /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n', drip: ' ' },
];

/** Longer than any of them may live, in milliseconds. */
const PATIENCE = 25_000;

export interface SlowSocketsOptions {
  /** Where the endpoint listens, such as `http://127.0.0.1:4101`. */
  readonly address: string;
  readonly sockets: number;
  /** One request of an honest client, to its end. @throws where it fails. */
  readonly ask: () => Promise<unknown>;
}

export interface SlowSockets {
  /** How many the server closed. */
  readonly closed: number;
  /** The longest life of one, in milliseconds. */
  readonly longest: number;
  /**
   * Requests of an honest client meanwhile, how many failed, and what 99 of 100 took at most, in
   * milliseconds.
   */
  readonly asked: number;
  readonly failed: number;
  readonly p99: number;
}

/**
 * Opens slow sockets, each sending a byte or a header a second, while an honest client asks 20
 * times a second, until the server has closed them all.
 */
export async function slowSockets({
  address,
  sockets,
  ask,
}: SlowSocketsOptions): Promise<SlowSockets> {
  await ask();
  const { hostname, port } = new URL(address);
  const lives = Array.from({ length: sockets }, (_, index) =>
    lifeOf(createConnection(Number(port), hostname), SENDERS[index % SENDERS.length]!),
  );
  let failed = 0;
  const ending = new AbortController();
  const all = Promise.all(lives).finally(() => {
    ending.abort();
  });
  const times: Promise<number>[] = [];
  while (!ending.signal.aborted) {
    const began = performance.now();
    times.push(
      ask().then(
        () => performance.now() - began,
        () => {
          failed += 1;
          return performance.now() - began;
        },
      ),
    );
    await setTimeout(50);
  }
  const ended = await all;
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  return {
    closed: ended.filter((life) => life < PATIENCE).length,
    longest: Math.max(...ended),
    asked: sorted.length,
    failed,
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1]!,
  };
}

/** @returns how long the socket was open, in milliseconds. */
function lifeOf(socket: Socket, { start, drip }: (typeof SENDERS)[number]): Promise<number> {
  return new Promise((resolve) => {
    const began = performance.now();
    socket.once('connect', () => socket.write(start));
    const dripping = setInterval(() => {
      if (drip !== '' && socket.writable) socket.write(drip);
    }, 1_000);
    const tooLong = globalThis.setTimeout(() => socket.destroy(), PATIENCE);
    // What the server answers is read, as a browser would: a socket that is not read is never seen
    // to end.
    socket
      .resume()
      .on('error', () => undefined)
      .once('close', () => {
        clearInterval(dripping);
        clearTimeout(tooLong);
        resolve(performance.now() - began);
      });
  });
}
