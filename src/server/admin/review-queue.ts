import { Hono } from 'hono';
import { majorUnits } from '@donation-form/core/money';
import type { EventKind } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { readDetail } from '../donations/event-mapper.ts';
import { totalOf } from '../donations/total.ts';

const MOST_EVENTS = 1_000;

/** What a person has to enter at the platform. */
export interface ByHand {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: EventKind;
  /**
   * What a person has to do: enter it at the platform, or find out first whether it is there, or
   * was paid, and say so.
   */
  readonly state: 'by-hand' | 'held';
  /** Of the gift or renewal that it happened to. */
  readonly reference: string;
  /** Major units, a decimal string, where it is about money. */
  readonly amount: string | null;
  readonly currency: string;
  readonly why: string;
}

/** What a person has to do, without anything that names a donor. */
export function byHandRoutes({ repository }: { readonly repository: DonationRepository }): Hono {
  const app = new Hono();
  app.get('/events/by-hand', async (c) => {
    const events = [
      ...(await repository.outbox.listByState('held', MOST_EVENTS)),
      ...(await repository.outbox.listByState('by-hand', MOST_EVENTS)),
    ];
    const told = await Promise.all(
      events.map(async (event): Promise<ByHand> => {
        const { at = event.created_at, amount } = readDetail(event);
        const { decimals, currency, total } = totalOf(
          (await repository.findByReference(event.parent ?? event.reference))!,
        );
        const sum = amount ?? (event.kind === 'gift' ? total : undefined);
        return {
          at: new Date(at).toISOString(),
          kind: event.kind,
          state: event.state as ByHand['state'],
          reference: event.reference,
          amount: sum === undefined ? null : majorUnits(sum, decimals),
          currency,
          why: event.last_error ?? '',
        };
      }),
    );
    const held = (await repository.listByState('held', MOST_EVENTS)).map((row): ByHand => {
      const { decimals, currency, total } = totalOf(row);
      return {
        at: new Date(row.created_at).toISOString(),
        kind: 'gift',
        state: 'held',
        reference: row.reference,
        amount: majorUnits(total, decimals),
        currency,
        why: row.last_error ?? '',
      };
    });
    return c.json({ items: [...held, ...told] });
  });
  return app;
}
