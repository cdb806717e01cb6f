import type { Awaiting } from '@donation-form/core/donation';
import { Hono } from 'hono';
import type { Logger } from '../lib/logger.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { describeError } from '../lib/describe-error.ts';
import { InvalidDecisionError, type ResolveCommand } from '../donations/review-repository.ts';
import type { Database } from '../database/database.ts';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';
import { LIST_STATUSES, type ListStatus } from './command-values.ts';
import { listDonations } from './donation-list.ts';
import {
  toDonationDetail,
  toDecisionDetail,
  type DonationDetail,
  type DecisionDetail,
} from './donation-detail.ts';
import { findProbableDuplicate } from './find-duplicate.ts';
import { listPaymentOutcomes, type PaymentOutcome } from './payment-outcomes.ts';
import { getDonationTotal } from '../donations/total.ts';
import { buildGiftUrl, listDonationLinks, type DonationLinks } from './donation-links.ts';
import { buildStory, type StoryEntry } from './donation-story.ts';
import { describeWebhook } from './webhook-steps.ts';
import { formatIssuesOnOneLine, resolveSchema } from './command-schemas.ts';
import { formatUnknownOrganization } from './organizations.ts';
import { retryDonation } from './retry-donation.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 3_660;

export interface DonationActionsOptions {
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
  readonly outboundWebhooks: WebhookDispatcher;
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** A saved review decision and the updated donation. */
export interface ResolveResult {
  readonly decision: DecisionDetail;
  /** The updated donation. Undefined if a step failed after the server saved the decision. */
  readonly donation?: DonationDetail;
}

export interface ProbableDuplicate {
  readonly reference: string;
  /**
   * Time from the donation to its duplicate, in milliseconds. Negative if the duplicate came first.
   */
  readonly delay: number;
}

/** Data for a donation's admin page. */
export interface DonationStory {
  readonly donation: DonationDetail;
  readonly awaiting: Awaiting | null;
  /** Refunds and disputes of the donation, excluding those of its renewals. */
  readonly outcomes: readonly PaymentOutcome[];
  /** Another donation that the donor probably made by mistake. */
  readonly duplicate: ProbableDuplicate | undefined;
  readonly donorEmail: string | undefined;
  readonly story: readonly StoryEntry[];
  readonly links: DonationLinks;
  readonly getGiftUrl: (id: string) => string | undefined;
}

/** Actions on donations, for the API and the admin pages. */
export class DonationActions {
  readonly #options: DonationActionsOptions;

  constructor(options: DonationActionsOptions) {
    this.#options = options;
  }

  /**
   * Returns all details of a donation, or `undefined` if the reference is unknown.
   * @param reference reference of the donation or of one of its renewals.
   */
  async findDonationDetail(reference: string): Promise<DonationDetail | undefined> {
    const { repository, now } = this.#options;
    const history = await repository.reviewDecisions.findDonationHistory(reference);
    if (!history) return undefined;
    const decisions = await repository.reviewDecisions.listDecisions(history.donation.reference);
    return toDonationDetail(history, decisions, now());
  }

  /**
   * Returns a donation's history, with links to other systems, or `undefined` if the reference is
   * unknown.
   */
  async findDonationStory(reference: string): Promise<DonationStory | undefined> {
    const { repository, formRegistry, outboundWebhooks, database, now } = this.#options;
    const history = await repository.reviewDecisions.findDonationHistory(reference);
    if (!history) return undefined;
    const { donation, events } = history;
    const [duplicate, decisions, webhooks] = await Promise.all([
      findProbableDuplicate(database.db, donation),
      repository.reviewDecisions.listDecisions(donation.reference),
      outboundWebhooks.listUndeliveredAbout(donation.organization, events),
    ]);
    const organization = formRegistry.findOrganization(donation.organization);
    return {
      donation: toDonationDetail(history, decisions, now()),
      awaiting: donation.awaiting,
      outcomes: listPaymentOutcomes(
        events.filter((event) => event.reference === donation.reference),
        getDonationTotal(donation),
      ),
      duplicate: duplicate && {
        reference: duplicate.reference,
        delay: duplicate.created_at - donation.created_at,
      },
      donorEmail: donation.payload.donor.email,
      story: buildStory(history, decisions, ({ id }) =>
        webhooks.filter(({ event }) => event === id).map(describeWebhook),
      ),
      links: listDonationLinks(history, organization, webhooks),
      getGiftUrl: (id) => buildGiftUrl(organization, id),
    };
  }

  /**
   * Retries a donation's pending steps. Returns messages for the user, or `undefined` if the
   * reference is unknown.
   */
  async retryDonation(reference: string): Promise<string[] | undefined> {
    const { repository, formRegistry } = this.#options;
    const history = await repository.reviewDecisions.findDonationHistory(reference);
    if (!history) return undefined;
    const { organization: id } = history.donation;
    const organization = formRegistry.findOrganization(id);
    const donations = formRegistry.findDonationService(id);
    const handler = organization && donations && { organization, donations };
    return retryDonation(history, handler, repository);
  }

  /**
   * Applies and saves a person's review decision and sends the resulting updates to the platform.
   * If a step fails after the decision is saved, logs the failure and leaves the updates to the
   * background workers.
   * @throws {InvalidDecisionError} if the decision is not possible for the donation or event.
   */
  async decideAndSendUpdates(command: ResolveCommand): Promise<ResolveResult> {
    const { repository, formRegistry, log, now } = this.#options;
    const decision = await repository.reviewDecisions.applyAndSaveDecision(command);
    try {
      const history = (await repository.reviewDecisions.findDonationHistory(command.reference))!;
      const decisions = await repository.reviewDecisions.listDecisions(decision.reference);
      const donation = toDonationDetail(history, decisions, now());
      await repository.outbox.makePendingEventsDue(history.events.map(({ id }) => id));
      formRegistry.findDonationService(donation.organization)?.startWorkers();
      return { donation, decision: toDecisionDetail(decision, history.events) };
    } catch (error) {
      log.error(
        { reference: decision.reference, ...describeError(error) },
        'review decision saved, but a later step failed',
      );
      return { decision: toDecisionDetail(decision, []) };
    }
  }
}

export function createDonationRoutes(options: DonationActionsOptions): Hono {
  const { formRegistry, database, now } = options;
  const app = new Hono();
  const actions = new DonationActions(options);
  app.get('/api/donations', async (c) => {
    const { status, organization, days: daysParameter = String(DEFAULT_DAYS) } = c.req.query();
    const days = Number(daysParameter);
    if (!/^\d{1,4}$/.test(daysParameter) || days < 1 || days > MAX_DAYS)
      return c.json(
        { message: `days is '${daysParameter}'; expected an integer from 1 to ${MAX_DAYS}.` },
        400,
      );
    if (status !== undefined && !isListStatus(status))
      return c.json(
        { message: `status is '${status}'; expected one of ${LIST_STATUSES.join(', ')}.` },
        400,
      );
    const list = await listDonations(database.db, { status, organization, days }, now());
    const isUnknownOrganization =
      organization !== undefined &&
      list.items.length === 0 &&
      !formRegistry.findOrganization(organization);
    if (isUnknownOrganization)
      return c.json({ message: formatUnknownOrganization(organization, formRegistry) }, 400);
    return c.json({ days, ...list });
  });

  app.get('/api/donations/:reference', async (c) => {
    const reference = c.req.param('reference');
    const donation = await actions.findDonationDetail(reference);
    return donation ? c.json(donation) : c.json(createNotFoundBody(reference), 404);
  });

  app.post('/api/donations/:reference/retry', async (c) => {
    const reference = c.req.param('reference');
    const results = await actions.retryDonation(reference);
    return results ? c.json({ results }) : c.json(createNotFoundBody(reference), 404);
  });

  app.post('/api/donations/:reference/resolve', async (c) => {
    const { data, error } = resolveSchema.safeParse(await c.req.json().catch(() => undefined));
    if (error) return c.json({ message: formatIssuesOnOneLine(error) }, 400);
    try {
      return c.json(
        await actions.decideAndSendUpdates({ ...data, reference: c.req.param('reference') }),
      );
    } catch (invalid) {
      if (invalid instanceof InvalidDecisionError) return c.json({ message: invalid.message }, 409);
      throw invalid;
    }
  });
  return app;
}

const isListStatus = (status: string): status is ListStatus =>
  (LIST_STATUSES as readonly string[]).includes(status);

function createNotFoundBody(reference: string): { readonly message: string } {
  return {
    message:
      `No donation has the reference ${reference}. Enter a reference such as 7K4M9-QXD2P from the ` +
      'receipt, the payment provider, or the platform.',
  };
}
