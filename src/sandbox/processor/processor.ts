import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { goWrong, type Faults } from '../lib/faults.ts';
import { answerError, refusal } from '../lib/request-parsing.ts';
import { authentication } from './authentication.ts';
import { frame } from './pages/frame.ts';
import { hostedPage } from './pages/hosted-page.ts';
import { pagesStyles } from './pages/pages-styles.ts';
import { portal } from './pages/portal.ts';
import { serverCalls } from './server-calls.ts';
import type { Till } from './till.ts';

export interface ProcessorOptions {
  readonly till: Till;
  readonly faults: Faults;
  readonly publicKey: string;
  readonly secretKey: string;
  /** The built script of the card frame. */
  readonly frameScript: () => Promise<string>;
  /** How long the slow card takes, in milliseconds. */
  readonly slowCardTime: number;
}

const MOST_BYTES = 64 * 1_024;

/**
 * A card processor: a frame that turns a card into a token that works once, payments under an
 * idempotency key, and pages for donors.
 */
export function processor({
  till,
  faults,
  publicKey,
  secretKey,
  frameScript,
  slowCardTime,
}: ProcessorOptions): Hono {
  const app = new Hono();
  const faulty = goWrong(faults, 'processor', (c) =>
    c.json({ message: 'Too many requests.' }, 429, { 'Retry-After': '5' }),
  );
  app.use(
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: (c) => c.json({ message: `The body must have ${MOST_BYTES} bytes at most.` }, 413),
    }),
  );
  app.use('/tokens', faulty);
  for (const path of ['/payments/*', '/subscriptions/*']) {
    app.use(
      path,
      async (c, next) => {
        if (c.req.header('Authorization') !== `Bearer ${secretKey}`)
          throw refusal('Unknown secret key.', 401);
        return next();
      },
      faulty,
    );
  }
  app.route('/', frame({ ledger: till.ledger, publicKey, frameScript }));
  app.route('/', authentication(till));
  app.route('/', hostedPage({ ...till, slowCardTime }));
  app.route('/portal', portal(till));
  app.get('/pages.css', (c) =>
    c.body(pagesStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.route('/', serverCalls({ ...till, slowCardTime }));
  app.all('*', (c) =>
    c.json({ message: `${c.req.method} ${c.req.path} is not a call of this processor.` }, 404),
  );
  app.onError(answerError);
  return app;
}
