import type { Logger } from '../lib/logger.ts';
import { createCountryRoutes } from './routes/countries.ts';
import type { DonationServices } from '../donations/donation-services.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { GoalTotalsCache } from '../reporting/goal-totals.ts';
import type { FraudProtection } from '../fraud-protection/fraud-protection.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { createPageRoutes } from './routes/pages.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import { Problem } from '../lib/problem.ts';
import { createChallengeRoutes } from './routes/challenge.ts';
import { createDonationPageRoutes } from './routes/donation-page.ts';
import { createDonationRoutes } from './routes/donations.ts';
import { createEmbeddedFormRoutes } from './routes/embedded-form.ts';
import { createFormRoutes } from './routes/form.ts';
import { createGoalRoutes } from './routes/goal.ts';
import { createPlatformWebhookRoutes } from './routes/platform-webhooks.ts';
import { createPaymentProviderRoutes } from './routes/payment-providers.ts';
import { createCommonHeadersMiddleware } from './common-headers.ts';
import { createRouter, rejectOtherMethods, type Connection, type RouteContext } from './context.ts';
import { createScriptRoutes } from './routes/scripts.ts';
import type { AssetLoader } from './embed-assets.ts';
import type { AssetArchive } from './asset-archive.ts';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';
import type { ServerInfo } from '../database/server-info.ts';
import { isDatabaseError } from '../database/database-error.ts';
import { describeError } from '../lib/describe-error.ts';
import { createRequestLogMiddleware, type RequestLogOptions } from './request-log.ts';

export interface AppOptions {
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly repository: DonationRepository;
  readonly ignoredSettingStats: IgnoredSettingStats;
  readonly inboundWebhooks: WebhookReceiver;
  readonly fraudProtection: FraudProtection;
  readonly goalTotals: GoalTotalsCache;
  readonly serverInfo: ServerInfo;
  readonly metrics: RequestLogOptions['metrics'];
  readonly loadAssets: AssetLoader;
  readonly assetArchive: AssetArchive;
  readonly log: Logger;
  readonly now: () => number;
}

/** Handles a request, like the `fetch` function of a Deno, Bun, or Workers server. */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>;

export function createApp(options: AppOptions): Handler {
  const { organizations, loadAssets, log } = options;
  const app = createRouter();
  const sendProblem = (problem: Problem, c: RouteContext): Response => {
    c.set('problem', problem.code);
    return problem.toResponse(c.get('requestId'));
  };
  app.use(createRequestLogMiddleware(options));
  app.use(createCommonHeadersMiddleware((origin) => organizations.origins.has(origin)));

  app.get('/healthz', (c) => c.text('ok'));
  app.route('/', createEmbeddedFormRoutes(options));
  app.route('/', createPageRoutes({ organizations, loadAssets }));
  app.route('/', createCountryRoutes());
  app.route('/', createFormRoutes(options));
  app.route('/', createGoalRoutes(options));
  app.route('/', createChallengeRoutes(options));
  app.route('/', createDonationRoutes(options));
  app.route('/', createDonationPageRoutes(options));
  app.route('/', createPaymentProviderRoutes(options));
  app.route('/', createPlatformWebhookRoutes(options));
  rejectOtherMethods(app, '/', '/healthz', '/links', '/countries', '/countries/:code');
  app.route('/', createScriptRoutes(options));

  app.notFound((c) =>
    sendProblem(new Problem('not-found', 'This path does not exist. Check the URL.'), c),
  );
  app.onError((error, c) => {
    if (error instanceof Problem && error.cause === undefined) return sendProblem(error, c);
    log.error({ request: c.get('requestId'), ...describeError(error) }, 'request failed');
    return sendProblem(error instanceof Problem ? error : toProblem(error), c);
  });
  return (request, connection = {}) => app.fetch(request, connection);
}

function toProblem(error: unknown): Problem {
  return isDatabaseError(error)
    ? new Problem(
        'unavailable',
        'The database is not responding. Try again later with the same Idempotency-Key to avoid ' +
          'charging the donor twice.',
      )
    : new Problem(
        'internal-error',
        'An unexpected error occurred. Try again with the same Idempotency-Key to avoid ' +
          'charging the donor twice.',
      );
}
