import type { Hono } from 'hono';
import type { GoalProgress } from '@donation-form/core/schemas';
import { findLanguage } from '@donation-form/core/i18n';
import type { Organizations } from '../../organizations/organizations.ts';
import type { GoalTotalsCache } from '../../reporting/goal-totals.ts';
import { createPublicBody } from '../../lib/public-body.ts';
import { sendPublicBody } from '../send-public-body.ts';
import { assertOriginMayRead } from '../origin-check.ts';
import { createRouter, rejectOtherMethods, type RouteEnv } from '../context.ts';

export function createGoalRoutes({
  organizations,
  goalTotals,
}: {
  readonly organizations: Organizations;
  readonly goalTotals: GoalTotalsCache;
}): Hono<RouteEnv> {
  const app = createRouter();

  app.get('/goal', async (c) => {
    assertOriginMayRead(c, organizations.origins);
    const { organization, goal } = organizations.getGoal(c.req.query('id'));
    c.set('organization', organization.id);
    const { raised, donations, asOf } = await goalTotals.getTotals(organization.id, goal);
    const { id, names, currency, decimals, target, offlineAmount } = goal;
    const progress: GoalProgress = {
      id,
      name: names[findLanguage(c.req.query('language') ?? '') ?? 'en'],
      currency,
      decimals,
      target,
      raised: raised + offlineAmount,
      donations,
      asOf: new Date(asOf).toISOString(),
    };
    return sendPublicBody(c, createPublicBody(JSON.stringify(progress)), {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=60',
    });
  });

  rejectOtherMethods(app, '/goal');
  return app;
}
