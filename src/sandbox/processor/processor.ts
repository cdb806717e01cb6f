import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { injectFaults, type Faults } from '../lib/faults.ts';
import { toErrorResponse, createRequestError } from '../lib/request-parsing.ts';
import { createAuthenticationRoutes } from './authentication.ts';
import { createCardFrameRoutes } from './pages/card-frame.ts';
import { createHostedPageRoutes } from './pages/hosted-page.ts';
import { pageStyles } from './pages/styles.ts';
import { createPortalRoutes } from './pages/portal.ts';
import { createServerApi } from './server-api.ts';
import type { ProcessorContext } from './context.ts';

export interface ProcessorApiOptions {
  readonly context: ProcessorContext;
  readonly faults: Faults;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Reads the built script of the card frame. */
  readonly readCardFrameScript: () => Promise<string>;
  /** Delay of the slow test card, in milliseconds. */
  readonly slowCardDelay: number;
}

const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Creates the payment processor: a frame that converts card details to single-use tokens, payments
 * with idempotency keys, and pages for donors.
 */
export function createProcessorApi({
  context,
  faults,
  publicKey,
  secretKey,
  readCardFrameScript,
  slowCardDelay,
}: ProcessorApiOptions): Hono {
  const app = new Hono();
  const withFaults = injectFaults(faults, 'stripe', (c) =>
    c.json({ message: 'Too many requests.' }, 429, { 'Retry-After': '5' }),
  );
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (c) =>
        c.json({ message: `The body must have ${MAX_BODY_BYTES} bytes at most.` }, 413),
    }),
  );
  app.use('/tokens', withFaults);
  for (const path of ['/payments/*', '/subscriptions/*']) {
    app.use(
      path,
      async (c, next) => {
        if (c.req.header('Authorization') !== `Bearer ${secretKey}`)
          throw createRequestError('The secret key is unknown.', 401);
        return next();
      },
      withFaults,
    );
  }
  app.route('/', createCardFrameRoutes({ ledger: context.ledger, publicKey, readCardFrameScript }));
  app.route('/', createAuthenticationRoutes(context));
  app.route('/', createHostedPageRoutes({ ...context, slowCardDelay }));
  app.route('/portal', createPortalRoutes(context));
  app.get('/pages.css', (c) =>
    c.body(pageStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.route('/', createServerApi({ ...context, slowCardDelay }));
  app.all('*', (c) =>
    c.json({ message: `This processor has no call ${c.req.method} ${c.req.path}.` }, 404),
  );
  app.onError(toErrorResponse);
  return app;
}
