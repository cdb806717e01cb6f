import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { mount } from 'hono/mount';
import type { Database } from '../data/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type Faults, injectFaults } from '../lib/faults.ts';
import { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createFaultError, toErrorResponse } from './api.ts';
import { createStripeEmulator, type StripeEmulator } from './emulator.ts';
import { StripeApiError } from './stripe-error.ts';
import { WebhookOutbox } from './webhooks.ts';

/** Path of the emulator in the sandbox. */
const STRIPE_PATH = '/stripe';

export interface StripeServiceOptions {
  readonly database: Database;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** URL that receives the events, and the webhook signing secret. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly webhookRetryDelays?: readonly number[] | undefined;
}

export interface StripeService {
  readonly emulator: StripeEmulator;
  /** App that serves the emulator under {@link STRIPE_PATH} and applies the sandbox's faults. */
  readonly app: Hono;
  readonly close: () => void;
}

/** Interval between runs of the scheduled tasks, in milliseconds. */
const TASK_INTERVAL = 5_000;
const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Creates the Stripe emulator. Delivers the emulator's webhooks and runs its scheduled tasks until
 * the service is closed.
 */
export function createStripeService({
  database,
  faults,
  clock,
  secretKey,
  publishableKey,
  webhook,
  webhookRetryDelays,
}: StripeServiceOptions): StripeService {
  const deliveryQueue = new DeliveryQueue({
    faults,
    target: 'stripe',
    retryDelays: webhookRetryDelays,
  });
  const outbox = webhook && new WebhookOutbox({ database, deliveryQueue, ...webhook });
  const emulator = createStripeEmulator({
    basePath: STRIPE_PATH,
    database,
    faults,
    secretKey,
    publishableKey,
    hasDefaultPortalConfiguration: true,
    now: () => clock.now().getTime(),
    ...(outbox && { onEvent: outbox.add }),
  });
  if (webhook) emulator.addWebhookEndpoint(webhook.url, ['*']);
  outbox?.enqueuePendingEvents();
  emulator.runScheduledTasks();
  clock.addChangeListener(emulator.runScheduledTasks);
  const timer = setInterval(emulator.runScheduledTasks, TASK_INTERVAL).unref();

  const app = new Hono();
  app.use(
    `${STRIPE_PATH}/*`,
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () =>
        toErrorResponse(
          new StripeApiError(413, {
            type: 'invalid_request_error',
            message: 'The request body is too large.',
          }),
        ),
    }),
  );
  app.use(
    `${STRIPE_PATH}/v1/*`,
    injectFaults(
      faults,
      'stripe',
      () => toErrorResponse(createFaultError(429)),
      (status) => toErrorResponse(createFaultError(status)),
    ),
  );
  app.all(`${STRIPE_PATH}/*`, mount(emulator.fetch));
  return {
    emulator,
    app,
    close() {
      clearInterval(timer);
      deliveryQueue.abortDeliveries();
    },
  };
}
