import type { Kysely } from 'kysely';
import type { Donation, Tables } from '../../database/schema.ts';
import { getDonationTotal } from '../../donations/total.ts';
import { isSameEmail } from '../../lib/normalize-email.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { findGiftAidCancellation } from '../actions/gift-aid.ts';
import { getTimeZone } from '../actions/organizations.ts';
import { toDonationDetail } from './donation-detail.ts';
import { buildGiftUrl, listExternalLinks, listHelp } from './donation-links.ts';
import { loadDonationReceipts } from './donation-receipts.ts';
import { buildStory, describeMail, describeWebhook } from './donation-story.ts';
import { listPaymentBadges } from './payment-outcomes.ts';

export type DonationStory = NonNullable<Awaited<ReturnType<typeof loadDonationStory>>>;

/**
 * Loads the history of the donation or renewal whose page was opened. Returns `undefined` if the
 * reference is unknown or belongs to another organization.
 */
export async function loadDonationStory(openedReference: string, context: ActorContext) {
  const { repository, organizations, outboundWebhooks, outboundMail, database } = context;
  const history = await repository.reviewDecisions.findDonationHistory(openedReference);
  if (!history || !context.isPermitted(history.donation.organization)) return undefined;
  const { donation, events } = history;
  const organization = organizations.find(donation.organization);
  const [duplicate, decisions, webhooks, mails, receipts, giftAidCancellation] = await Promise.all([
    findProbableDuplicate(database.db, donation),
    repository.reviewDecisions.listDecisions(donation.reference),
    outboundWebhooks.listUndeliveredAbout(donation.organization, events),
    outboundMail.queue.listMessagesAbout(events),
    loadDonationReceipts(database.db, history, organization),
    findGiftAidCancellation(donation, context),
  ]);
  const now = context.now();
  return {
    openedReference,
    /** Time of the request, in milliseconds since 1970. */
    now,
    timeZone: getTimeZone(donation.organization, context),
    donation: toDonationDetail(history, decisions, giftAidCancellation, now),
    awaiting: donation.awaiting,
    /** Refunds and disputes of the donation, excluding those of its renewals. */
    outcomes: listPaymentBadges(
      events.filter((event) => event.reference === donation.reference),
      getDonationTotal(donation),
    ),
    /** Another donation that the donor probably made by mistake, and the milliseconds until then. */
    duplicate: duplicate && {
      reference: duplicate.reference,
      delay: duplicate.createdAt - donation.createdAt,
    },
    donorEmail: donation.payload.donor.email,
    story: buildStory(history, decisions, ({ id, reference }) => [
      ...mails
        .filter(({ event }) => event === id)
        .map((message) => describeMail(message, reference)),
      ...webhooks.filter(({ event }) => event === id).map(describeWebhook),
    ]),
    receipts,
    links: listExternalLinks(history, organization),
    help: listHelp(history, webhooks),
    getGiftUrl: (id: string) => buildGiftUrl(organization, id),
  };
}

const MAX_INTERVAL = 600_000;
const MAX_DONATIONS = 1_000;

/** Finds a similar donation by the same donor within ten minutes, if both may have been charged. */
async function findProbableDuplicate(
  db: Kysely<Tables>,
  donation: Donation,
): Promise<Donation | undefined> {
  if (!mayBeCharged(donation)) return undefined;
  const { organization, reference, createdAt: at } = donation;
  const candidates = await db
    .selectFrom('donations')
    .selectAll()
    .where('organization', '=', organization)
    .where('createdAt', '>=', at - MAX_INTERVAL)
    .where('createdAt', '<=', at + MAX_INTERVAL)
    .where('reference', '!=', reference)
    .where('status', 'in', ['succeeded', 'processing', 'needs_review'])
    .orderBy('createdAt')
    .limit(MAX_DONATIONS)
    .execute();
  return candidates.find((other) => mayBeCharged(other) && isEqualDonation(other, donation));
}

/** Returns true unless the payment is unfinished, failed, or a pledge. */
function mayBeCharged({ status, awaiting }: Donation): boolean {
  return (
    status === 'succeeded' ||
    status === 'needs_review' ||
    (status === 'processing' && awaiting !== 'donor')
  );
}

function isEqualDonation({ payload: one }: Donation, { payload: other }: Donation): boolean {
  return (
    other.donor.email !== undefined &&
    isSameEmail(one.donor.email, other.donor.email) &&
    one.gift.total === other.gift.total &&
    one.gift.currency === other.gift.currency &&
    one.gift.frequency === other.gift.frequency &&
    one.form.id === other.form.id
  );
}
