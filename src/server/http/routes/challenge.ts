import type { Hono } from 'hono';
import type { FormRegistry } from '../../donations/form-registry.ts';
import type { Client } from '../../fraud-protection/client-address.ts';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import { newRoutes, allowOnlyMethods, type RouteContext, type RouteEnv } from '../context.ts';

/**
 * Where a solved challenge stands in `POST /donations`: JSON of challenge and solution, in base64.
 */
export const SOLUTION_HEADER = 'Challenge-Solution';

/**
 * A proof of work, for whom one is asked. With `required`, for everybody: a gift was refused
 * without one.
 */
export function challengeRoutes({
  formRegistry,
  guard,
}: {
  readonly formRegistry: FormRegistry;
  readonly guard: FraudProtection;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/challenge', async (c) => {
    const { definition } = formRegistry.get(c.req.query('form')).form.en;
    const headers = { 'Cache-Control': 'no-store' };
    const challenge = await guard.challenge(
      clientIn(c, guard),
      definition.id,
      c.req.query('required') !== undefined,
    );
    return challenge ? c.json(challenge, 200, headers) : c.body(null, 204, headers);
  });

  allowOnlyMethods(app, '/challenge');
  return app;
}

/** Who sent a request. */
export function clientIn(c: RouteContext, guard: FraudProtection): Client {
  return guard.clientOf(c.env.address, c.req.header('X-Forwarded-For'));
}
