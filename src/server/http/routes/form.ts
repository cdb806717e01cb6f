import type { Hono } from 'hono';
import { ignoredSettings as reportSchema } from '@donation-form/core/schemas';
import { inLanguage, type FormRegistry } from '../../donations/form-registry.ts';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import { checkContentType, checkFetchMetadata, checkOrigin } from '../origin-check.ts';
import { LARGEST_REPORT } from '../body-limits.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { pausedProblem } from '../../lib/problem.ts';
import { answerWith } from '../../lib/cached-response.ts';
import { readBody } from '../parse-json-body.ts';
import type { IgnoredSettingStats } from '../../reporting/ignored-setting-stats.ts';
import { clientIn } from './challenge.ts';
import { limitBody, newRoutes, allowOnlyMethods, type RouteEnv } from '../context.ts';

/** What a form is, and what it ignored of its settings. */
export function formRoutes({
  formRegistry,
  repository,
  ignoredSettings,
  guard,
}: {
  readonly formRegistry: FormRegistry;
  readonly repository: DonationRepository;
  readonly ignoredSettings: IgnoredSettingStats;
  readonly guard: FraudProtection;
}): Hono<RouteEnv> {
  const app = newRoutes();

  app.get('/form', async (c) => {
    const { form, organization } = formRegistry.get(c.req.query('id'));
    c.set('organization', organization.id);
    if (await repository.pauses.isPaused(organization.id)) throw pausedProblem();
    return answerWith(c, inLanguage(form, c.req.query('language') ?? ''), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
    });
  });

  app.post('/ignored-settings', limitBody(LARGEST_REPORT), async (c) => {
    checkOrigin(c.req.header('Origin'), formRegistry.origins);
    checkFetchMetadata(c.req.raw.headers);
    checkContentType(c.req.header('Content-Type'));
    await guard.limit('reports', clientIn(c, guard));
    const report = readBody(await c.req.text().catch(() => ''), reportSchema);
    checkOrigin(c.req.header('Origin'), formRegistry.get(report.form).organization.origins);
    ignoredSettings.add(report);
    await ignoredSettings.settle();
    return c.body(null, 204);
  });

  allowOnlyMethods(app, '/form', '/ignored-settings');
  return app;
}
