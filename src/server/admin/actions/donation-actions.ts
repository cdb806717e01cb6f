import type { DonationHistory } from '../../donations/review-options.ts';
import { describeError } from '../../lib/describe-error.ts';
import { parsePeriod } from '../../lib/period.ts';
import { iterateExportLines } from '../../reporting/export-rows.ts';
import type { AdminContext } from '../admin-context.ts';
import type { DecisionDetail, DonationDetail } from '../read-models/donation-detail.ts';
import { toDecisionDetail, toDonationDetail } from '../read-models/donation-detail.ts';
import { listDonations } from '../read-models/donation-list.ts';
import {
  donationExportSchema,
  donationListSchema,
  referenceSchema,
  resolveSchema,
} from './input-schemas.ts';
import { findOnlyOrganization, formatUnknownOrganization } from './organizations.ts';
import { retryDonation } from './retry-donation.ts';
import { ActionError, defineAction } from './staff-action.ts';

export interface ResolveResult {
  readonly decision: DecisionDetail;
  /** The updated donation. Undefined if a step failed after the server saved the decision. */
  readonly donation?: DonationDetail;
}

export function createDonationActions(context: AdminContext) {
  const { repository, organizations, donationServices, database, log, now } = context;
  const { reviewDecisions, outbox } = repository;

  const findHistory = async (reference: string): Promise<DonationHistory> => {
    const history = await reviewDecisions.findDonationHistory(reference);
    if (history) return history;
    throw new ActionError(
      404,
      `No donation has the reference ${reference}. Enter a reference such as 7K4M9-QXD2P from ` +
        'the receipt, the payment provider, or the platform.',
    );
  };

  const loadDetail = async (history: DonationHistory): Promise<DonationDetail> =>
    toDonationDetail(
      history,
      await reviewDecisions.listDecisions(history.donation.reference),
      now(),
    );

  return {
    'donations.list': defineAction(donationListSchema, async (query) => {
      const list = await listDonations(database.db, query, now());
      const { organization, days } = query;
      const isUnknownOrganization =
        organization !== undefined && list.items.length === 0 && !organizations.find(organization);
      if (isUnknownOrganization)
        throw new ActionError(400, formatUnknownOrganization(organization, organizations));
      return { days, ...list };
    }),

    'donations.export': defineAction(donationExportSchema, ({ organization, from, to }) => {
      const { id, timeZone } = findOnlyOrganization(organization, organizations);
      return iterateExportLines(database.db, id, parsePeriod(from, to, timeZone), timeZone);
    }),

    'donations.show': defineAction(referenceSchema, async ({ reference }) =>
      loadDetail(await findHistory(reference)),
    ),

    'donations.retry': defineAction(referenceSchema, async ({ reference }) => {
      const history = await findHistory(reference);
      return { results: await retryDonation(history, context) };
    }),

    // If a step fails after the decision is saved, the background workers send the updates.
    'donations.resolve': defineAction(resolveSchema, async (command): Promise<ResolveResult> => {
      const decision = await reviewDecisions.applyAndSaveDecision(command);
      try {
        const history = (await reviewDecisions.findDonationHistory(command.reference))!;
        const donation = await loadDetail(history);
        await outbox.makePendingEntriesDue(history.events.map(({ id }) => id));
        donationServices.find(donation.organization)?.wakeWorkers();
        return { donation, decision: toDecisionDetail(decision, history.events) };
      } catch (error) {
        log.error(
          { reference: decision.reference, ...describeError(error) },
          'review decision saved, but a later step failed',
        );
        return { decision: toDecisionDetail(decision, []) };
      }
    }),
  };
}
