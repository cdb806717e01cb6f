import type { Awaiting } from '@donation-form/core/donation';
import { getDonationTotal } from '../../donations/total.ts';
import type { AdminContext } from '../admin-context.ts';
import { toDonationDetail, type DonationDetail } from './donation-detail.ts';
import { buildGiftUrl, listDonationLinks, type DonationLinks } from './donation-links.ts';
import { buildStory, type StoryEntry } from './donation-story.ts';
import { findProbableDuplicate } from './find-duplicate.ts';
import { listPaymentBadges, type PaymentOutcome } from './payment-outcomes.ts';
import { describeWebhook } from './webhook-steps.ts';

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

/**
 * Loads a donation's history, with links to other systems. Returns `undefined` if the reference is
 * unknown.
 */
export async function loadDonationStory(
  reference: string,
  { repository, organizations, outboundWebhooks, database, now }: AdminContext,
): Promise<DonationStory | undefined> {
  const history = await repository.reviewDecisions.findDonationHistory(reference);
  if (!history) return undefined;
  const { donation, events } = history;
  const [duplicate, decisions, webhooks] = await Promise.all([
    findProbableDuplicate(database.db, donation),
    repository.reviewDecisions.listDecisions(donation.reference),
    outboundWebhooks.listUndeliveredAbout(donation.organization, events),
  ]);
  const organization = organizations.find(donation.organization);
  return {
    donation: toDonationDetail(history, decisions, now()),
    awaiting: donation.awaiting,
    outcomes: listPaymentBadges(
      events.filter((event) => event.reference === donation.reference),
      getDonationTotal(donation),
    ),
    duplicate: duplicate && {
      reference: duplicate.reference,
      delay: duplicate.createdAt - donation.createdAt,
    },
    donorEmail: donation.payload.donor.email,
    story: buildStory(history, decisions, ({ id }) =>
      webhooks.filter(({ event }) => event === id).map(describeWebhook),
    ),
    links: listDonationLinks(history, organization, webhooks),
    getGiftUrl: (id) => buildGiftUrl(organization, id),
  };
}
