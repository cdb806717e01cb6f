import type { Hono } from 'hono';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { createRouter, identifyClient, rejectOtherMethods, type RouteEnv } from '../context.ts';

/** Contains a challenge and its solution as base64-encoded JSON. */
export const SOLUTION_HEADER = 'Challenge-Solution';

/**
 * Returns a proof-of-work challenge, or 204 if the client needs none. The form sets `required`
 * after the server rejects a donation without a solution.
 */
export function createChallengeRoutes({
  organizations,
  fraudProtection,
}: {
  readonly organizations: Organizations;
  readonly fraudProtection: FraudProtection;
}): Hono<RouteEnv> {
  const app = createRouter();

  app.get('/challenge', async (c) => {
    const { definition } = organizations.getForm(c.req.query('form')).form.en;
    const headers = { 'Cache-Control': 'no-store' };
    const challenge = await fraudProtection.issueChallenge(
      identifyClient(c, fraudProtection),
      definition.id,
      c.req.query('required') !== undefined,
    );
    return challenge ? c.json(challenge, 200, headers) : c.body(null, 204, headers);
  });

  rejectOtherMethods(app, '/challenge');
  return app;
}
