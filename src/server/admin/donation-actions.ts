import { Hono } from 'hono';
import type { Logger } from '../lib/logger.ts';
import type { Desks } from '../donations/form-registry.ts';
import type { Journal } from '../donations/donation-repository.ts';
import { aboutError } from '../lib/describe-error.ts';
import { NotDecidableError, type Resolve } from '../donations/review-decisions.ts';
import type { Store } from '../database/database.ts';
import { LIST_STATES, listGifts, type ListState } from './donation-list.ts';
import {
  reportOf,
  resolutionReport,
  type GiftReport,
  type ResolutionReport,
} from './donation-detail.ts';
import { faultOf, resolve } from './command-schemas.ts';
import { retryNow } from './retry-donation.ts';

const USUAL_DAYS = 30;
const MOST_DAYS = 3_660;

export interface GiftsOptions {
  readonly journal: Journal;
  readonly desks: Desks;
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
}

/** What came of a resolution, and what can be said of the gift now. */
export interface Resolved {
  readonly resolution: ResolutionReport;
  /** Absent where the decision was kept and something failed after it. */
  readonly report?: GiftReport;
}

/** The operator's work on gifts, for the command and the page. */
export class GiftWork {
  readonly #options: GiftsOptions;

  constructor(options: GiftsOptions) {
    this.#options = options;
  }

  /** @param reference of a gift or of a renewal. */
  async report(reference: string): Promise<GiftReport | undefined> {
    const { journal, now } = this.#options;
    const family = await journal.resolutions.family(reference);
    return family && reportOf(family, await journal.resolutions.of(family.gift.reference), now());
  }

  /**
   * Tries now what waits of a gift.
   * @returns what came of it, in sentences; `undefined` where there is no such gift.
   */
  async retry(reference: string): Promise<string[] | undefined> {
    const { journal, desks } = this.#options;
    const family = await journal.resolutions.family(reference);
    if (!family) return undefined;
    const organization = desks.organizations.find(({ id }) => id === family.gift.organization);
    const donations = desks.donationsOf(family.gift.organization);
    return retryNow(family, organization && donations && { organization, donations }, journal);
  }

  /**
   * Takes the step that a person decided on, and lets what follows from it be told. What fails
   * after the decision was kept is logged: it is told later by itself.
   * @throws {NotDecidableError}
   */
  async resolve(order: Resolve): Promise<Resolved> {
    const { journal, desks, log, now } = this.#options;
    const decided = await journal.resolutions.decide(order);
    try {
      const family = (await journal.resolutions.family(order.reference))!;
      const report = reportOf(family, await journal.resolutions.of(decided.gift), now());
      await journal.events.dueNow(family.events.map(({ id }) => id));
      desks.donationsOf(report.organization)?.start();
      return { report, resolution: resolutionReport(decided, family.events) };
    } catch (error) {
      log.error(
        { reference: decided.gift, ...aboutError(error) },
        'a decision was kept, and something failed after it',
      );
      return { resolution: resolutionReport(decided, []) };
    }
  }
}

/** Gifts, for the command. */
export function giftRoutes(options: GiftsOptions): Hono {
  const { desks, store, now } = options;
  const app = new Hono();
  const work = new GiftWork(options);
  app.get('/api/gifts', async (c) => {
    const { state, organization, days: written = String(USUAL_DAYS) } = c.req.query();
    const days = Number(written);
    if (!/^\d{1,4}$/.test(written) || days < 1 || days > MOST_DAYS)
      return c.json(
        { message: `days is '${written}'; expected a number from 1 to ${MOST_DAYS}.` },
        400,
      );
    if (state !== undefined && !isListState(state))
      return c.json(
        { message: `state is '${state}'; expected one of ${LIST_STATES.join(', ')}.` },
        400,
      );
    const list = await listGifts(store.db, { state, organization, days }, now());
    if (organization !== undefined && list.items.length === 0 && !desks.organization(organization))
      return c.json(
        {
          message: `There is no organisation '${organization}'; expected one of ${desks.organizations.map(({ id }) => id).join(', ')}.`,
        },
        400,
      );
    return c.json({ days, ...list });
  });

  app.get('/api/gifts/:reference', async (c) => {
    const report = await work.report(c.req.param('reference'));
    return report ? c.json(report) : c.json(unknown(c.req.param('reference')), 404);
  });

  app.post('/api/gifts/:reference/retry', async (c) => {
    const said = await work.retry(c.req.param('reference'));
    return said ? c.json({ said }) : c.json(unknown(c.req.param('reference')), 404);
  });

  app.post('/api/gifts/:reference/resolve', async (c) => {
    const { data, error } = resolve.safeParse(await c.req.json().catch(() => undefined));
    if (error) return c.json({ message: faultOf(error) }, 400);
    try {
      return c.json(await work.resolve({ ...data, reference: c.req.param('reference') }));
    } catch (refusal) {
      if (refusal instanceof NotDecidableError) return c.json({ message: refusal.message }, 409);
      throw refusal;
    }
  });
  return app;
}

const isListState = (state: string): state is ListState =>
  (LIST_STATES as readonly string[]).includes(state);

function unknown(reference: string): { readonly message: string } {
  return {
    message: `No gift has the reference ${reference}. It is what the donor, the processor and the platform see, such as 7K4M9-QXD2P.`,
  };
}
