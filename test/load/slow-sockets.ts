import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Requests that never end: the first bytes, and what is repeated every second. */
const REQUESTS: readonly { readonly start: string; readonly repeated: string }[] = [
  { start: '', repeated: '' },
  { start: 'GET /form HT', repeated: '' },
  { start: 'GET /form HTTP/1.1\r\nHost: x\r\n', repeated: 'X-Slow: 1\r\n' },
  {
    start:
      'POST /donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3000\r\n\r\n{',
    repeated: ' ',
  },
  {
    start:
      'POST /donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    repeated: '1\r\n \r\n',
  },
  { start: 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n', repeated: ' ' },
  {
    start: 'PUT /form HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3000\r\n\r\n',
    repeated: '',
  },
  { start: 'GET /form HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n', repeated: ' ' },
];

/** Time limit in milliseconds, longer than the server allows a socket to live. */
const TIMEOUT = 25_000;

/**
 * Opens sockets that send a byte or a header each second, while an honest client sends 20 requests
 * a second, and waits until the server has closed all of them.
 * @param sendRequest sends a request of the honest client. @throws if it fails.
 * @returns times in milliseconds.
 */
export async function openSlowSockets(
  url: string,
  sockets: number,
  sendRequest: () => Promise<void>,
) {
  await sendRequest();
  const { hostname, port } = new URL(url);
  const lifetimes = Array.from({ length: sockets }, (_, index) =>
    measureLifetime(createConnection(Number(port), hostname), REQUESTS[index % REQUESTS.length]!),
  );
  let failed = 0;
  const allClosed = new AbortController();
  const all = Promise.all(lifetimes).finally(() => {
    allClosed.abort();
  });
  const times: Promise<number>[] = [];
  while (!allClosed.signal.aborted) {
    const startTime = performance.now();
    const countFailure = (): void => void (failed += 1);
    times.push(
      sendRequest()
        .catch(countFailure)
        .then(() => performance.now() - startTime),
    );
    await setTimeout(50);
  }
  const closed = await all;
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  return {
    closed: closed.filter((lifetime) => lifetime < TIMEOUT).length,
    longestLife: Math.max(...closed),
    requests: sorted.length,
    failed,
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1]!,
  };
}

/** @returns the time until the socket is closed, in milliseconds. */
function measureLifetime(
  socket: Socket,
  { start, repeated }: (typeof REQUESTS)[number],
): Promise<number> {
  return new Promise((resolve) => {
    const startTime = performance.now();
    socket.once('connect', () => socket.write(start));
    const interval = setInterval(() => {
      if (repeated !== '' && socket.writable) socket.write(repeated);
    }, 1_000);
    const timeout = globalThis.setTimeout(() => socket.destroy(), TIMEOUT);
    // Reads the response: an unread socket does not emit 'close'.
    socket
      .resume()
      .on('error', () => undefined)
      .once('close', () => {
        clearInterval(interval);
        clearTimeout(timeout);
        resolve(performance.now() - startTime);
      });
  });
}
