import { createMiddleware } from 'hono/factory';
import { readWebhookBody, WebhookError } from '@donation-form/platform-clients/fundraising';
import { describeError } from '../../lib/describe-error.ts';
import { Problem } from '../../lib/problem.ts';
import type { WebhookSource } from '../../organizations/webhook-source.ts';
import { InboxFullError } from '../../webhooks/inbound/inbox.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  MAX_PLATFORM_WEBHOOK_BYTES,
  type RouteEnv,
  type Router,
} from '../context.ts';

/** Webhooks may also be sent to this path with a trailing slash. */
const PATH = '/platform-webhooks/:organization/:secret';

/** The path contains a secret. If it is wrong, the response is 404. */
export function addPlatformWebhookRoutes(app: Router, { inboundWebhooks, log }: AppOptions): void {
  const requireSecret = createMiddleware<RouteEnv & { Variables: { source: WebhookSource } }>(
    async (c, next) => {
      c.set('route', PATH);
      const source = inboundWebhooks.findSource(
        c.req.param('organization') ?? '',
        c.req.param('secret') ?? '',
      );
      if (!source) return c.notFound();
      c.set('source', source);
      return next();
    },
  );

  for (const path of [PATH, `${PATH}/`] as const)
    app.post(
      path,
      requireSecret,
      createBodyLimitMiddleware(MAX_PLATFORM_WEBHOOK_BYTES),
      async (c) => {
        const organization = c.req.param('organization');
        const body = await readWebhookBody(c.req.raw).catch((error: unknown) => {
          if (!(error instanceof WebhookError)) throw error;
          log.warn(
            { request: c.get('requestId'), organization, ...describeError(error) },
            'cannot read an inbound webhook',
          );
          throw new Problem(
            error.status === 415 ? 'content-type-unsupported' : 'invalid-payload',
            error.message,
          );
        });
        await inboundWebhooks
          .acceptWebhook(organization, c.get('source'), body)
          .catch((error: unknown) => {
            if (!(error instanceof InboxFullError)) throw error;
            log.error(
              { request: c.get('requestId'), organization, ...describeError(error) },
              'rejected an inbound webhook: the inbox is full of pending webhooks',
            );
            throw new Problem(
              'unavailable',
              'Too many webhooks are waiting to be processed. Send this one again later.',
            );
          });
        return c.body(null, 204);
      },
    );
}
