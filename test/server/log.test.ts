import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, LOGGED_FIELDS } from '../../src/server/lib/logger.ts';
import { CARDS, newKey, openDesk, type Desk } from './support.ts';

/** pino's own. */
const OWN = ['level', 'time', 'pid', 'hostname', 'msg'];

/**
 * What a donor, a page, a processor or a platform may have written: none of it belongs into a log.
 */
const HOSTILE = 'canary\n{"level":60}\u001b[31m\u202e\u0000   at canary';

function checkLines(lines: readonly string[]): void {
  const allowed: readonly string[] = [...OWN, ...LOGGED_FIELDS];
  for (const line of lines) {
    const fields = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(
      Object.keys(fields).filter((name) => !allowed.includes(name)),
      [],
      line,
    );
    assert.doesNotMatch(line, /canary|Souza/, line);
    assert.doesNotMatch(
      line.trimEnd(),
      // oxlint-disable-next-line no-control-regex -- these are what is looked for
      /[\u0000-\u001f\u007f\u2028-\u202e\u2066-\u2069]|\\u00|31m/,
      line,
    );
  }
}

async function giveAndAsk(desk: Desk): Promise<void> {
  const key = newKey();
  for (const request of [
    await desk.request(),
    await desk.request({ card: CARDS.declined }),
    await desk.request({ card: CARDS.losesReply }),
    await desk.request({ donor: { firstName: HOSTILE } }),
    await desk.request({ gift: { comment: HOSTILE, segment: HOSTILE } }),
    await desk.request({ [HOSTILE]: HOSTILE }),
    await desk.request({ form: { id: HOSTILE, page: HOSTILE, language: HOSTILE } }),
    HOSTILE,
    `{"${HOSTILE}":1}`,
  ])
    await desk.post(request, { key: newKey() });
  await desk.post(await desk.request(), { key });
  await desk.post(await desk.request({ donor: { firstName: 'Canary' } }), { key });
  await desk.post(await desk.request(), { key: 'canary' });
  await desk.post(await desk.request(), {
    headers: {
      Origin: 'https://canary.example',
      'User-Agent': 'canary',
      Referer: 'https://canary.example/?email=canary',
      'X-Request-Id': 'canary',
    },
  });
  await desk.ask(newKey());
  for (const path of [
    `/${encodeURIComponent(HOSTILE)}`,
    '/form?id=canary',
    '/webhooks/canary/canary',
    '/countries/canary',
    '/donations/canary/%E2%80%AE',
    '//canary',
    '/manage?id=canary',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE'])
      await desk.handler.fetch(
        new Request(`https://give.example${path}`, {
          method,
          ...(method === 'POST' && { body: HOSTILE }),
        }),
      );
  }
}

test('every log line has fields of the list alone, and nothing that anybody wrote, whatever is sent', async () => {
  await using desk = await openDesk();
  await giveAndAsk(desk);
  checkLines(desk.logged);
  assert.ok(desk.logged.length > 30);
});

test('the same holds where the platform or the processor fails with words of its own', async () => {
  for (const [status, at] of [
    [500, '/sandbox/gifts'],
    [400, '/sandbox/gifts'],
    [429, '/sandbox/gifts'],
    [500, '/processor'],
    [400, '/processor'],
    [200, '/processor'],
  ] as const) {
    await using desk = await openDesk({
      between: async (request, next) =>
        new URL(request.url).pathname.startsWith(at) && !request.url.endsWith('/tokens')
          ? Response.json(
              { message: HOSTILE, error: { message: HOSTILE, code: HOSTILE }, [HOSTILE]: HOSTILE },
              { status },
            )
          : next(request),
    });
    await desk.post(await desk.request());
    checkLines(desk.logged);
    assert.ok(
      desk.logged.some((line) => (JSON.parse(line) as { level: number }).level >= 40),
      desk.logged.join(''),
    );
  }
});

test('an error in our own code is found by its name and its place, and by the id that the donor sees; its words are not repeated', async () => {
  await using desk = await openDesk();
  desk.repository.findByKeyHash = function findByKey() {
    throw Object.assign(new TypeError('canary\n    at canary (canary.ts:1:1)'), {
      code: 'words of a canary',
      requestId: 'canary one',
      errcode: 1,
    });
  };
  const response = await desk.post(await desk.request());
  const { requestId } = (await response.json()) as { requestId: string };
  checkLines(desk.logged);
  const [failed, answered] = desk.logged.map(
    (line) => JSON.parse(line) as Record<string, string | number>,
  );
  assert.deepEqual(
    [
      response.status,
      failed?.request,
      failed?.error,
      failed?.level,
      answered?.request,
      answered?.problem,
    ],
    [500, requestId, 'TypeError', 50, requestId, 'internal-error'],
  );
  assert.match(
    String(failed?.at),
    /^at .*findByKey.*log\.test\.ts:\d+:\d+\)\nat .*routes\/donations\.ts/,
  );
});

test('what is not on the list is left out, and LOG_LEVEL says how much is logged', () => {
  const lines: string[] = [];
  const to = {
    write: (line: string) => {
      lines.push(line);
    },
  };
  createLog(undefined, to).info({ email: 'canary@example.org', reference: 'A' }, 'told');
  createLog('warn', to).info('not told');
  const { reference, email, msg } = JSON.parse(lines[0]!) as Record<string, string>;
  assert.deepEqual([lines.length, reference, email, msg], [1, 'A', undefined, 'told']);
  assert.throws(
    () => createLog('loud'),
    /environment variable LOG_LEVEL: found "loud", expected one of fatal, error, warn, info, debug, trace, silent/,
  );
});
