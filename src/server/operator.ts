import { Hono } from 'hono';
import type { Tally } from './tally.ts';

const USUAL_DAYS = 30, MOST_DAYS = 90;

/** What the operator may ask, on a listener that the public does not reach. */
export function createOperatorHandler({ tally }: { readonly tally: Tally }): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.get('/ignored-settings', async (c) => {
    const written = c.req.query('days') ?? String(USUAL_DAYS), days = Number(written);
    if (!/^\d{1,2}$/.test(written) || days < 1 || days > MOST_DAYS) return c.json({ message: `days is '${written}'; expected a number from 1 to ${MOST_DAYS}.` }, 400);
    return c.json({ days, items: await tally.report(days) });
  });
  app.notFound((c) => c.json({ message: 'There is nothing at this address. GET /ignored-settings says what forms ignored of their settings.' }, 404));
  return app.fetch;
}
