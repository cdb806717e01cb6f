import { Hono } from 'hono';
import { majorUnits } from '../model/money.ts';
import type { EventKind } from './tables.ts';
import type { Journal } from './journal.ts';
import { readDetail } from './kept-event.ts';
import { totalOf } from './kept-gift.ts';
import type { Tally } from './tally.ts';

const USUAL_DAYS = 30, MOST_DAYS = 90, MOST_EVENTS = 1_000;

/** What a person has to enter at the platform. */
export interface ByHand {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: EventKind;
  /** What a person has to do: enter it at the platform, or find out first whether it is there, or was paid, and say so. */
  readonly state: 'by-hand' | 'held';
  /** Of the gift or renewal that it happened to. */
  readonly reference: string;
  /** Major units, a decimal string, where it is about money. */
  readonly amount: string | null;
  readonly currency: string;
  readonly why: string;
}

/** What the operator may ask, on a listener that the public does not reach. */
export function createOperatorHandler({ tally, journal }: { readonly tally: Tally; readonly journal: Journal }): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.get('/ignored-settings', async (c) => {
    const written = c.req.query('days') ?? String(USUAL_DAYS), days = Number(written);
    if (!/^\d{1,2}$/.test(written) || days < 1 || days > MOST_DAYS) return c.json({ message: `days is '${written}'; expected a number from 1 to ${MOST_DAYS}.` }, 400);
    return c.json({ days, items: await tally.report(days) });
  });
  app.get('/events/by-hand', async (c) => {
    const events = [...await journal.events.inState('held', MOST_EVENTS), ...await journal.events.inState('by-hand', MOST_EVENTS)];
    const told = await Promise.all(events.map(async (event): Promise<ByHand> => {
      const { at = event.created_at, amount } = readDetail(event), { decimals, currency, total } = totalOf((await journal.byReference(event.parent ?? event.reference))!);
      const sum = amount ?? (event.kind === 'gift' ? total : undefined);
      return { at: new Date(at).toISOString(), kind: event.kind, state: event.state as ByHand['state'], reference: event.reference, amount: sum === undefined ? null : majorUnits(sum, decimals), currency, why: event.last_error ?? '' };
    }));
    const held = (await journal.inState('held', MOST_EVENTS)).map((row): ByHand => {
      const { decimals, currency, total } = totalOf(row);
      return { at: new Date(row.created_at).toISOString(), kind: 'gift', state: 'held', reference: row.reference, amount: majorUnits(total, decimals), currency, why: row.last_error ?? '' };
    });
    return c.json({ items: [...held, ...told] });
  });
  app.notFound((c) => c.json({ message: 'There is nothing at this address. GET /ignored-settings says what forms ignored of their settings, GET /events/by-hand what is to be entered at the platform.' }, 404));
  return app.fetch;
}
