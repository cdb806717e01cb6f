import { findLanguage } from '@donation-form/core/i18n';
import { type GoalProgress, settingsReport as reportSchema } from '@donation-form/core/schemas';
import { assertOriginIsAllowed } from '../../donations/donation-rules.ts';
import { createPausedProblem } from '../../lib/problem.ts';
import { createPublicBody } from '../../lib/public-body.ts';
import { getLocalizedDefinition } from '../../organizations/organizations.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  identifyClient,
  MAX_REPORT_BYTES,
  readText,
  rejectOtherMethods,
  type Router,
} from '../context.ts';
import { assertJsonContentType, assertOriginMayRead, assertSentByScript } from '../origin-check.ts';
import { parseJsonBody } from '../parse-json-body.ts';
import { sendPublicBody } from '../send-public-body.ts';

export function addFormRoutes(app: Router, options: AppOptions): void {
  const { organizations, repository, ignoredSettingStats, fraudProtection, goalTotals } = options;

  app.get('/form', async (c) => {
    assertOriginMayRead(c, organizations.origins);
    const { form, organization } = organizations.getForm(c.req.query('id'));
    c.set('organization', organization.id);
    assertOriginMayRead(c, organization.origins);
    if (await repository.pauses.isPaused(organization.id)) throw createPausedProblem();
    return sendPublicBody(c, getLocalizedDefinition(form, c.req.query('language') ?? ''), {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
    });
  });

  app.post('/settings-report', createBodyLimitMiddleware(MAX_REPORT_BYTES), async (c) => {
    assertSentByScript(c, organizations.origins);
    assertJsonContentType(c);
    await fraudProtection.admitRequest('reports', identifyClient(c, fraudProtection));
    const report = parseJsonBody(await readText(c), reportSchema);
    assertOriginIsAllowed(
      c.req.header('Origin'),
      organizations.getForm(report.form).organization.origins,
    );
    ignoredSettingStats.countIgnoredSettings(report);
    await ignoredSettingStats.writeImmediateCounts();
    return c.body(null, 204);
  });

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

  rejectOtherMethods(app, '/form', '/settings-report', '/goal');
}
