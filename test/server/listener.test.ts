import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { listen, type Listening } from '../../src/server/http/listen.ts';
import { ORIGIN, newKey, openDesk, type Desk } from './support.ts';

interface Served extends AsyncDisposable {
  readonly desk: Desk;
  readonly listening: Listening;
  /**
   * Sends bytes as they are, and reads until the server closes the connection.
   *
   * @param isWhole Whether what was read is all there is, if the server leaves it open.
   */
  readonly send: (bytes: string | Buffer, isWhole?: (text: string) => boolean) => Promise<string>;
}

async function serveDesk(): Promise<Served> {
  const desk = await openDesk();
  const listening = await listen(desk.handler.fetch, { host: '127.0.0.1', port: 0 });
  return {
    desk,
    listening,
    send: (bytes, isWhole = () => false) =>
      new Promise((resolve) => {
        const socket = createConnection(Number(new URL(listening.address).port), '127.0.0.1', () =>
          socket.write(bytes),
        );
        let all = '';
        socket
          .on('data', (piece) => {
            all += piece.toString('latin1');
            if (isWhole(all)) socket.destroy();
          })
          .on('error', () => undefined)
          .once('close', () => resolve(all));
      }),
    async [Symbol.asyncDispose]() {
      await listening.close();
      await desk[Symbol.asyncDispose]();
    },
  };
}

const get = (target: string, head = 'Host: give.example'): string =>
  `GET ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`;
const post = (head: string, body: string): string =>
  `POST /donations HTTP/1.1\r\nHost: give.example\r\nOrigin: ${ORIGIN}\r\nContent-Type: application/json\r\nIdempotency-Key: ${newKey()}\r\nConnection: close\r\n${head}\r\n\r\n${body}`;

const statusesIn = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status!);

/**
 * Odd requests, and the statuses of which one has to come back; none: the connection is closed
 * without an answer.
 */
const ODD: Readonly<Record<string, readonly [bytes: string | Buffer, ...statuses: number[]]>> = {
  'two slashes': [get('//'), 404],
  'two slashes and a host': [get('//evil.example/form'), 404],
  'a NUL in the path': [get('/%00'), 404],
  'a NUL in a country': [get('/countries/%00'), 404],
  'the way up': [get('/%2e%2e/%2e%2e/etc/passwd'), 404],
  'the way up, unescaped': [get('/pages/../../package.json'), 404],
  'the way up, in a file': [get('/pages/..%2f..%2fpackage.json'), 404],
  'a backslash': [get('/pages\\..\\x'), 400],
  'half an escape': [get('/countries/%E0%A4%A'), 404],
  'bytes that are no UTF-8': [get('/form?id=%ff%fe'), 404],
  'raw bytes': [Buffer.from(get('/f\u00e9'), 'latin1'), 400, 404],
  'an address of 15,000 characters': [get(`/form?id=${'x'.repeat(15_000)}`), 404],
  'an address of 100,000 characters': [get(`/form?id=${'x'.repeat(100_000)}`), 431],
  'a header of 100,000 characters': [
    get('/form', `Host: x\r\nX-Long: ${'x'.repeat(100_000)}`),
    431,
  ],
  '3,000 headers': [
    get(
      '/form',
      `Host: x\r\n${Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1`).join('\r\n')}`,
    ),
    431,
  ],
  'a whole address': [get('http://evil.example/healthz'), 200],
  'a whole address that is none': [get('http://'), 400],
  'no path': [get('*'), 400, 404],
  'HTTP/1.0 without a host': ['GET /healthz HTTP/1.0\r\n\r\n', 200],
  'HTTP/1.1 without a host': [get('/healthz', 'X: 1'), 400],
  'two hosts': [get('/healthz', 'Host: a\r\nHost: b'), 200, 400],
  'an odd host': [get('/healthz', 'Host: a b<script>'), 400],
  'a host that is a path': [get('/healthz', 'Host: evil.example/x?'), 400],
  'a host with a user': [get('/healthz', 'Host: a@evil.example'), 400],
  'an empty host': [get('/healthz', 'Host:'), 200, 400],
  'an asterisk': ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 404],
  TRACE: [
    'TRACE /form HTTP/1.1\r\nHost: x\r\nCookie: canary\r\nConnection: close\r\n\r\n',
    405,
    404,
  ],
  CONNECT: ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  'a method that is none': ['FLY /form HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  'an upgrade': [
    get(
      '/healthz',
      'Host: x\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ).replace('Connection: close', 'Connection: Upgrade'),
    200,
  ],
  'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 505],
  'a TLS greeting': [Buffer.from('16030100a5010000a10303', 'hex'), 400],
  'a GET with a body': [get('/healthz', 'Host: x\r\nContent-Length: 5').replace(/$/, 'hello'), 200],
  'a GET with a long body': [
    get('/healthz', 'Host: x\r\nContent-Length: 300000') + 'x'.repeat(300_000),
    200,
  ],
  'two lengths': [post('Content-Length: 2\r\nContent-Length: 3', '{}x'), 400],
  'a length below zero': [post('Content-Length: -1', '{}'), 400],
  'a length and pieces': [
    post('Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  'an unknown transfer': [post('Transfer-Encoding: xchunked', '{}'), 400, 501],
  'a piece of endless length': [
    post('Transfer-Encoding: chunked', 'ffffffffffffffffff\r\n{}'),
    400,
  ],
  'a piece that is none': [post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n'), 400],
  'a header with a NUL': [get('/healthz', 'Host: x\r\nX: a\0b'), 400],
  'a folded header': [get('/healthz', 'Host: x\r\nX: a\r\n b'), 200, 400],
  'a line end of one sign': ['GET /healthz HTTP/1.1\nHost: x\n\n', 400],
  'a space before the colon': [get('/healthz', 'Host : x'), 400],
  'another expectation': [post('Expect: nonsense\r\nContent-Length: 2', '{}'), 417],
  'text as JSON': [post('Content-Length: 2', '{}').replace('application/json', 'text/plain'), 415],
};

test('odd requests are answered or refused one by one, and the server serves the next', async () => {
  await using served = await serveDesk();
  const { desk, send } = served;
  await Promise.all(
    Object.entries(ODD).map(async ([name, [bytes, ...statuses]]) => {
      // All others are the last of their connection.
      const answer = await send(
        bytes,
        (text) => name === 'an upgrade' && text.endsWith('\r\n\r\nok'),
      );
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
      assert.ok(
        statuses.length === 0 ? answer === '' : statuses.includes(status),
        `${name}: ${answer.slice(0, 300)}`,
      );
      assert.doesNotMatch(
        answer,
        /canary| at .*\.[jt]s:\d|node_modules|evil\.example|<script>/,
        name,
      );
    }),
  );
  assert.match(await send(get('/healthz')), /^HTTP\/1\.1 200 /);
  assert.deepEqual(desk.calls, []);
});

test('fifty requests in one go are answered in their order', async () => {
  await using served = await serveDesk();
  const answers = await served.send(
    Array.from(
      { length: 50 },
      (_, index) => `GET /${index % 2 ? 'healthz' : 'nothing'} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ).join(''),
    (text) => statusesIn(text).length === 50 && text.endsWith('ok'),
  );
  assert.deepEqual(
    statusesIn(answers),
    Array.from({ length: 50 }, (_, index) => (index % 2 ? '200' : '404')),
  );
});

test('who asks first whether a body is wanted is told, and a body behind a refused request is no request', async () => {
  await using served = await serveDesk();
  const body = JSON.stringify(await served.desk.request());
  assert.match(
    await served.send(post(`Expect: 100-continue\r\nContent-Length: ${body.length}`, body)),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
  );
  const inside = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const answers = await served.send(
    `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${inside.length}\r\n\r\n${inside}${get('/nothing')}`,
  );
  assert.deepEqual(statusesIn(answers), ['404', '404']);
});

test('a server that ends answers what is under way, says that it is the last answer, and takes no new connection', async () => {
  const events = new EventEmitter();
  const begun = once(events, 'begun');
  const listening = await listen(
    async () => {
      events.emit('begun');
      await once(events, 'done');
      return new Response('done');
    },
    { host: '127.0.0.1', port: 0 },
  );
  const agent = new Agent({ keepAlive: true });
  const { port } = new URL(listening.address);
  const idle = createConnection(Number(port), '127.0.0.1');
  const idleClosed = once(idle, 'close');
  const asked = request({ port, agent }).end();
  await begun;
  const closed = listening.close();
  await idleClosed;
  const refused = createConnection(Number(port), '127.0.0.1');
  const [{ code }] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  assert.equal(code, 'ECONNREFUSED');
  events.emit('done');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  assert.deepEqual([response.statusCode, response.headers.connection], [200, 'close']);
  response.resume();
  await closed;
});
