import type { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readPayload, WebhookError } from '@donation-form/platform-clients/fundraising';
import type { Logger } from '../../lib/logger.ts';
import { LARGEST_PLATFORM_WEBHOOK } from '../body-limits.ts';
import { NoRoomError } from '../../webhooks/inbound/inbox.ts';
import type { WebhookReceiver } from '../../webhooks/inbound/receiver.ts';
import type { PlatformSource } from '../../organizations/webhook-source.ts';
import { Problem } from '../../lib/problem.ts';
import { describeError } from '../../lib/describe-error.ts';
import { limitBody, newRoutes, type RouteEnv } from '../context.ts';

/**
 * What the fundraising platforms tell, at an address that only they know. For everybody else there
 * is nothing here, whatever they send.
 */
export function platformWebhookRoutes({
  platformWebhooks,
  log,
}: {
  readonly platformWebhooks: WebhookReceiver;
  readonly log: Logger;
}): Hono<RouteEnv> {
  const app = newRoutes();
  const knownOnly = createMiddleware<RouteEnv & { Variables: { source: PlatformSource } }>(
    async (c, next) => {
      const source = platformWebhooks.find(
        c.req.param('organization') ?? '',
        c.req.param('secret') ?? '',
      );
      if (!source) return c.notFound();
      c.set('source', source);
      return next();
    },
  );

  app.post(
    '/platform-webhooks/:organization/:secret',
    knownOnly,
    limitBody(LARGEST_PLATFORM_WEBHOOK),
    async (c) => {
      const organization = c.req.param('organization');
      const read = await readPayload(c.req.raw).catch((error: unknown) => {
        if (!(error instanceof WebhookError)) throw error;
        log.warn(
          { request: c.get('requestId'), organization, ...describeError(error) },
          'a webhook of a platform cannot be read',
        );
        throw new Problem(
          error.status === 415 ? 'content-type-unsupported' : 'invalid-payload',
          error.message,
        );
      });
      await platformWebhooks.keep(organization, c.get('source'), read).catch((error: unknown) => {
        if (!(error instanceof NoRoomError)) throw error;
        log.error(
          { request: c.get('requestId'), organization, ...describeError(error) },
          'a webhook of a platform was refused',
        );
        throw new Problem(
          'unavailable',
          'Too many webhooks wait to be handled. Send it again later.',
        );
      });
      return c.body(null, 204);
    },
  );
  return app;
}
