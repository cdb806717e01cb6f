import type { Hono } from 'hono';
import { ignoredSettings } from '@donation-form/core/schemas';
import { inLanguage, type Desks } from '../../donations/form-registry.ts';
import type { Guard } from '../../fraud-protection/guard.ts';
import { checkContentType, checkFetchMetadata, checkOrigin } from '../origin-check.ts';
import { LARGEST_REPORT } from '../body-limits.ts';
import type { Journal } from '../../donations/donation-repository.ts';
import { pausedProblem } from '../../lib/problem.ts';
import { answerWith } from '../../lib/cached-response.ts';
import { readBody } from '../parse-json-body.ts';
import type { Tally } from '../../reporting/ignored-settings.ts';
import { clientIn } from './challenge.ts';
import { atMost, newRoutes, onlyThese, type RouteEnv } from '../context.ts';

/** What a form is, and what it ignored of its settings. */
export function formRoutes({
  desks,
  journal,
  tally,
  guard,
}: {
  readonly desks: Desks;
  readonly journal: Journal;
  readonly tally: Tally;
  readonly guard: Guard;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/form', async (c) => {
    const { form, organization } = desks.of(c.req.query('id'));
    c.set('organization', organization.id);
    if (await journal.pauses.isPaused(organization.id)) throw pausedProblem();
    return answerWith(c, inLanguage(form, c.req.query('language') ?? ''), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
    });
  });

  app.post('/ignored-settings', atMost(LARGEST_REPORT), async (c) => {
    checkOrigin(c.req.header('Origin'), desks.origins);
    checkFetchMetadata(c.req.raw.headers);
    checkContentType(c.req.header('Content-Type'));
    await guard.limit('reports', clientIn(c, guard));
    const report = readBody(await c.req.text().catch(() => ''), ignoredSettings);
    checkOrigin(c.req.header('Origin'), desks.of(report.form).organization.origins);
    tally.add(report);
    await tally.settle();
    return c.body(null, 204);
  });

  onlyThese(app, '/form', '/ignored-settings');
  return app;
}
