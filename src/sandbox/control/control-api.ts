import { Hono } from 'hono';
import type { Clock } from '../lib/clock.ts';
import { FAULTS, readFault, readKind, type Faults } from '../lib/faults.ts';
import { paymentSteering } from '../processor/steering.ts';
import type { Till } from '../processor/till.ts';
import {
  answerError,
  isLocal,
  readBody,
  refusal,
  refuseUnknown,
  type JsonObject,
} from '../lib/request-parsing.ts';
import type { V1Access } from '../donation-v1/access.ts';

export interface ControlOptions {
  readonly faults: Faults;
  readonly clock: Clock;
  readonly access: V1Access;
  readonly till: Till;
  readonly apiKey: string;
}

const PATHS = ['/sandbox/faults', '/sandbox/clock', '/sandbox/applications', '/sandbox/payments'];

/**
 * Calls that steer the sandbox: what goes wrong, what time it is, who may come in, what becomes of
 * payments. For this machine only, with the platform's key; no limit counts them.
 */
export function control({ faults, clock, access, till, apiKey }: ControlOptions): Hono {
  const app = new Hono();

  for (const path of PATHS) {
    app.use(`${path}/*`, async (c, next) => {
      c.header('X-Sandbox-Own', 'not in the specification');
      if (!isLocal(c.req.raw))
        throw refusal('The sandbox is steered from its own machine only.', 403);
      if (c.req.header('Authorization') !== `Bearer ${apiKey}`)
        throw refusal(
          'Steering the sandbox needs the platform key: Authorization: Bearer <API_KEY>.',
          401,
        );
      return next();
    });
  }

  const listed = (): object => ({ items: faults.list, kinds: FAULTS });
  app.get('/sandbox/faults', (c) => c.json(listed()));
  app.post('/sandbox/faults', async (c) => {
    faults.switchOn(readFault(await readBody(c)));
    return c.json(listed());
  });
  app.delete('/sandbox/faults', (c) => {
    faults.switchOff();
    return c.json(listed());
  });
  app.delete('/sandbox/faults/:kind', (c) => {
    faults.switchOff(readKind(c.req.param('kind')));
    return c.json(listed());
  });

  const time = (): object => ({
    now: clock.now().toISOString(),
    movedSeconds: clock.moved / 1_000,
  });
  app.get('/sandbox/clock', (c) => c.json(time()));
  app.post('/sandbox/clock', async (c) => {
    moveClock(clock, await readBody(c));
    return c.json(time());
  });
  app.delete('/sandbox/clock', (c) => {
    clock.reset();
    return c.json(time());
  });

  app.get('/sandbox/applications', (c) => c.json({ items: access.list }));
  app.patch('/sandbox/applications/:name', async (c) => {
    const { active, ...others } = await readBody(c);
    refuseUnknown('field that can be changed', Object.keys(others), []);
    if (typeof active !== 'boolean') throw refusal('active must be true or false.');
    access.setActive(c.req.param('name'), active);
    return c.json({ items: access.list });
  });
  app.delete('/sandbox/applications/:name', (c) => {
    access.remove(c.req.param('name'));
    return c.json({ items: access.list });
  });
  app.delete('/sandbox/applications/:name/keys/:key', (c) => {
    access.revoke(c.req.param('name'), c.req.param('key'));
    return c.json({ items: access.list });
  });

  app.route('/sandbox/payments', paymentSteering(till));

  app.onError(answerError);
  return app;
}

const MOST_SECONDS = 10 * 366 * 86_400;

/**
 * Moves the clock by some seconds, or to a moment.
 * @throws a refusal that says what is expected.
 */
export function moveClock(clock: Clock, { advanceSeconds, now, ...others }: JsonObject): void {
  refuseUnknown('field of the clock', Object.keys(others), ['advanceSeconds', 'now']);
  if (typeof advanceSeconds === 'number' && now === undefined) {
    if (!(Math.abs(advanceSeconds) <= MOST_SECONDS))
      throw refusal('advanceSeconds must be ten years at most, either way.');
    clock.advance(advanceSeconds * 1_000);
    return;
  }
  const moment = typeof now === 'string' ? Date.parse(now) : NaN;
  if (
    advanceSeconds !== undefined ||
    !(Math.abs(moment - clock.now().getTime()) <= MOST_SECONDS * 1_000)
  )
    throw refusal(
      'Expected { "advanceSeconds": number } or { "now": a moment in ISO 8601, ten years away at most }.',
    );
  clock.set(new Date(moment));
}
