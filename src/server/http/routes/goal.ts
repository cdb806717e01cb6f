import type { Hono } from 'hono';
import type { GoalProgress } from '@donation-form/core/schemas';
import { languageOf } from '@donation-form/core/i18n';
import type { FormRegistry } from '../../donations/form-registry.ts';
import type { GoalFigures } from '../../reporting/goal-totals.ts';
import { answerWith, publicBody } from '../../lib/cached-response.ts';
import { newRoutes, allowOnlyMethods, type RouteEnv } from '../context.ts';

/** How far a goal has come. */
export function goalRoutes({
  formRegistry,
  figures,
}: {
  readonly formRegistry: FormRegistry;
  readonly figures: GoalFigures;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/goal', async (c) => {
    const { organization, goal } = formRegistry.getGoal(c.req.query('id'));
    c.set('organization', organization.id);
    const { raised, gifts, asOf } = await figures.of(organization.id, goal);
    const { id, names, currency, decimals, target, elsewhere } = goal;
    const progress: GoalProgress = {
      id,
      name: names[languageOf(c.req.query('language') ?? '') ?? 'en'],
      currency,
      decimals,
      target,
      raised: raised + elsewhere,
      gifts,
      asOf: new Date(asOf).toISOString(),
    };
    return answerWith(c, publicBody(JSON.stringify(progress)), {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=60',
    });
  });

  allowOnlyMethods(app, '/goal');
  return app;
}
