import type { OutboxEntry, ReviewDecision } from '../../database/schema.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import type { DonationServices } from '../../donations/donation-services.ts';
import type { ReviewFilter } from '../../donations/review-repository.ts';
import { listEventReviewOptions, type ReviewOption } from '../../donations/review-options.ts';
import { InvalidDecisionError } from '../../donations/review-options.ts';
import { MAX_RESOLVED_EVENTS } from './input-values.ts';

/** Result of resolving several events. */
export interface ResolveTogetherResult {
  readonly resolved: number;
  /**
   * Number of events that no longer needed the decision, for example because another person
   * resolved them.
   */
  readonly skipped: number;
}

/**
 * Finds an event's review option for a decision that applies to several events. Excludes options
 * that require a platform gift ID, because each gift has its own ID.
 */
export function findCommonOption(
  event: OutboxEntry,
  decision: ReviewDecision,
  now: number,
): ReviewOption | undefined {
  return listEventReviewOptions(event, [event], now).find(
    (option) => option.decision === decision && !option.needsPlatformId,
  );
}

/** Lists events that match a filter and that the given decision can resolve together. */
export async function listResolvableEvents(
  repository: DonationRepository,
  { decision, ...filter }: ReviewFilter & { readonly decision: ReviewDecision },
  now: number,
): Promise<OutboxEntry[]> {
  const events = await repository.reviewDecisions.listEntriesNeedingReview(
    filter,
    MAX_RESOLVED_EVENTS,
  );
  return events.filter((event) => findCommonOption(event, decision, now) !== undefined);
}

/**
 * Applies a decision to several events, one at a time. Repeating a call is safe, because it skips
 * events that no longer need the decision.
 */
export async function resolveTogether(
  {
    repository,
    donationServices,
  }: { readonly repository: DonationRepository; readonly donationServices: DonationServices },
  {
    events: ids,
    ...command
  }: {
    readonly decision: ReviewDecision;
    readonly events: readonly string[];
    readonly by: string;
    readonly note: string;
  },
): Promise<ResolveTogetherResult> {
  const organizations = new Set<string>();
  let resolved = 0;
  for (const id of new Set(ids)) {
    const event = await repository.outbox.findById(id);
    if (event?.status !== 'needs_review' && event?.status !== 'manual') continue;
    try {
      await repository.reviewDecisions.applyAndSaveDecision({
        ...command,
        reference: event.reference,
        event: event.id,
      });
      resolved += 1;
      organizations.add(event.organization);
    } catch (error) {
      if (!(error instanceof InvalidDecisionError)) throw error;
    }
  }
  for (const organization of organizations) donationServices.find(organization)?.wakeWorkers();
  return { resolved, skipped: new Set(ids).size - resolved };
}
