import { Hono } from 'hono';
import type { Logger } from '../lib/logger.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { describeError } from '../lib/describe-error.ts';
import { InvalidDecisionError, type Resolve } from '../donations/review-repository.ts';
import type { Database } from '../database/database.ts';
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
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
  readonly store: Database;
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
export class DonationActions {
  readonly #options: GiftsOptions;

  constructor(options: GiftsOptions) {
    this.#options = options;
  }

  /** @param reference of a gift or of a renewal. */
  async report(reference: string): Promise<GiftReport | undefined> {
    const { repository, now } = this.#options;
    const family = await repository.reviewDecisions.family(reference);
    return (
      family && reportOf(family, await repository.reviewDecisions.of(family.gift.reference), now())
    );
  }

  /**
   * Tries now what waits of a gift.
   * @returns what came of it, in sentences; `undefined` where there is no such gift.
   */
  async retry(reference: string): Promise<string[] | undefined> {
    const { repository, formRegistry } = this.#options;
    const family = await repository.reviewDecisions.family(reference);
    if (!family) return undefined;
    const organization = formRegistry.organizations.find(
      ({ id }) => id === family.gift.organization,
    );
    const donations = formRegistry.serviceOf(family.gift.organization);
    return retryNow(family, organization && donations && { organization, donations }, repository);
  }

  /**
   * Takes the step that a person decided on, and lets what follows from it be told. What fails
   * after the decision was kept is logged: it is told later by itself.
   * @throws {InvalidDecisionError}
   */
  async resolve(order: Resolve): Promise<Resolved> {
    const { repository, formRegistry, log, now } = this.#options;
    const decided = await repository.reviewDecisions.decide(order);
    try {
      const family = (await repository.reviewDecisions.family(order.reference))!;
      const report = reportOf(family, await repository.reviewDecisions.of(decided.gift), now());
      await repository.outbox.makeDue(family.events.map(({ id }) => id));
      formRegistry.serviceOf(report.organization)?.start();
      return { report, resolution: resolutionReport(decided, family.events) };
    } catch (error) {
      log.error(
        { reference: decided.gift, ...describeError(error) },
        'a decision was kept, and something failed after it',
      );
      return { resolution: resolutionReport(decided, []) };
    }
  }
}

/** Gifts, for the command. */
export function giftRoutes(options: GiftsOptions): Hono {
  const { formRegistry, store, now } = options;
  const app = new Hono();
  const work = new DonationActions(options);
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
    if (
      organization !== undefined &&
      list.items.length === 0 &&
      !formRegistry.organization(organization)
    )
      return c.json(
        {
          message: `There is no organisation '${organization}'; expected one of ${formRegistry.organizations.map(({ id }) => id).join(', ')}.`,
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
      if (refusal instanceof InvalidDecisionError) return c.json({ message: refusal.message }, 409);
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
