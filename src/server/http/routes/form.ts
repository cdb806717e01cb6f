import type { Hono } from 'hono';
import { settingsReport as reportSchema } from '@donation-form/core/schemas';
import { getLocalizedDefinition, type Organizations } from '../../organizations/organizations.ts';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import {
  assertJsonContentType,
  assertOriginMayRead,
  assertFetchMetadata,
  assertOriginIsAllowed,
} from '../origin-check.ts';
import { MAX_REPORT_BYTES } from '../body-limits.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { createPausedProblem } from '../../lib/problem.ts';
import { sendPublicBody } from '../send-public-body.ts';
import { parseJsonBody } from '../parse-json-body.ts';
import type { IgnoredSettingStats } from '../../reporting/ignored-setting-stats.ts';
import {
  createBodyLimitMiddleware,
  createRouter,
  identifyClient,
  readText,
  rejectOtherMethods,
  type RouteEnv,
} from '../context.ts';

export function createFormRoutes({
  organizations,
  repository,
  ignoredSettingStats,
  fraudProtection,
}: {
  readonly organizations: Organizations;
  readonly repository: DonationRepository;
  readonly ignoredSettingStats: IgnoredSettingStats;
  readonly fraudProtection: FraudProtection;
}): Hono<RouteEnv> {
  const app = createRouter();

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
    assertOriginIsAllowed(c.req.header('Origin'), organizations.origins);
    assertFetchMetadata(c.req.raw.headers);
    assertJsonContentType(c.req.header('Content-Type'));
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

  rejectOtherMethods(app, '/form', '/settings-report');
  return app;
}
