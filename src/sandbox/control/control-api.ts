import { Hono } from 'hono';
import type { V1Access } from '../donation-v1/access.ts';
import type { Clock } from '../lib/clock.ts';
import { FAULTS, type Faults, parseFaultFields, parseFaultKind } from '../lib/faults.ts';
import {
  assertKnownNames,
  createRequestError,
  isLocalRequest,
  type JsonObject,
  parseJsonBody,
  toErrorResponse,
} from '../lib/request-parsing.ts';
import { createPayPalControls } from '../paypal/controls.ts';
import type { PayPal } from '../paypal/paypal.ts';
import { createStripeControls } from '../stripe/controls.ts';
import type { StripeEmulator } from '../stripe/emulator.ts';

export interface ControlApiOptions {
  readonly faults: Faults;
  readonly clock: Clock;
  readonly access: V1Access;
  readonly stripe: StripeEmulator;
  readonly paypal: PayPal;
  readonly apiKey: string;
}

const PATHS = ['/sandbox/faults', '/sandbox/clock', '/sandbox/applications', '/sandbox/payments'];

/**
 * Creates the control API for faults, the clock, v1 applications, and payments. The API requires
 * the platform key, accepts requests only from the machine that runs the sandbox, and has no rate
 * limit.
 */
export function createControlApi({
  faults,
  clock,
  access,
  stripe,
  paypal,
  apiKey,
}: ControlApiOptions): Hono {
  const app = new Hono();

  for (const path of PATHS) {
    app.use(`${path}/*`, async (c, next) => {
      c.header('X-Sandbox-Extension', 'not in the specification');
      if (!isLocalRequest(c.req.raw))
        throw createRequestError(
          'The control API accepts requests only from the machine that runs the sandbox.',
          403,
        );
      if (c.req.header('Authorization') !== `Bearer ${apiKey}`)
        throw createRequestError(
          'The control API requires the platform key: Authorization: Bearer <API_KEY>.',
          401,
        );
      return next();
    });
  }

  const listFaults = (): object => ({ items: faults.active, kinds: FAULTS });
  app.get('/sandbox/faults', (c) => c.json(listFaults()));
  app.post('/sandbox/faults', async (c) => {
    faults.enableFault(parseFaultFields(await parseJsonBody(c)));
    return c.json(listFaults());
  });
  app.delete('/sandbox/faults', (c) => {
    faults.disableFault();
    return c.json(listFaults());
  });
  app.delete('/sandbox/faults/:kind', (c) => {
    faults.disableFault(parseFaultKind(c.req.param('kind')));
    return c.json(listFaults());
  });

  const getClockState = (): object => ({
    now: clock.now().toISOString(),
    offsetSeconds: clock.offset / 1_000,
  });
  app.get('/sandbox/clock', (c) => c.json(getClockState()));
  app.post('/sandbox/clock', async (c) => {
    moveClock(clock, await parseJsonBody(c));
    return c.json(getClockState());
  });
  app.delete('/sandbox/clock', (c) => {
    clock.resetToSystemTime();
    return c.json(getClockState());
  });

  app.get('/sandbox/applications', (c) => c.json({ items: access.applications }));
  app.patch('/sandbox/applications/:name', async (c) => {
    const { active, ...others } = await parseJsonBody(c);
    assertKnownNames('field', Object.keys(others), []);
    if (typeof active !== 'boolean') throw createRequestError('active must be true or false.');
    access.setApplicationActive(c.req.param('name'), active);
    return c.json({ items: access.applications });
  });
  app.delete('/sandbox/applications/:name', (c) => {
    access.deleteApplication(c.req.param('name'));
    return c.json({ items: access.applications });
  });
  app.delete('/sandbox/applications/:name/keys/:key', (c) => {
    access.revokeKey(c.req.param('name'), c.req.param('key'));
    return c.json({ items: access.applications });
  });

  app.route('/sandbox/payments', createStripeControls(stripe));
  app.route('/sandbox/payments', createPayPalControls(paypal));

  app.onError(toErrorResponse);
  return app;
}

const MAX_OFFSET_SECONDS = 10 * 366 * 86_400;

/**
 * Moves the clock by a number of seconds, or sets it to a date and time.
 * @throws HTTPException if the fields are invalid.
 */
export function moveClock(clock: Clock, { advanceSeconds, now, ...others }: JsonObject): void {
  assertKnownNames('clock field', Object.keys(others), ['advanceSeconds', 'now']);
  if (typeof advanceSeconds === 'number' && now === undefined) {
    if (!(Math.abs(advanceSeconds) <= MAX_OFFSET_SECONDS))
      throw createRequestError(
        'advanceSeconds must move the clock by at most ten years in either direction.',
      );
    clock.advance(advanceSeconds * 1_000);
    return;
  }
  const time = typeof now === 'string' ? Date.parse(now) : NaN;
  if (
    advanceSeconds !== undefined ||
    !(Math.abs(time - clock.now().getTime()) <= MAX_OFFSET_SECONDS * 1_000)
  )
    throw createRequestError(
      'Expected { "advanceSeconds": number } or { "now": string }. ' +
        'Set "now" to an ISO 8601 date and time within ten years of the sandbox clock.',
    );
  clock.setTime(new Date(time));
}
