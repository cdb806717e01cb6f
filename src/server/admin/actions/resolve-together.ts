import type { z } from 'zod';
import type { OutboxEntry, ReviewDecision } from '../../database/schema.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import {
  InvalidDecisionError,
  listEventReviewOptions,
  type ReviewOption,
} from '../../donations/review-options.ts';
import type { ReviewFilter } from '../../donations/review-repository.ts';
import type { AdminContext } from '../admin-context.ts';
import type { resolveAllSchema } from './input-schemas.ts';
import { MAX_RESOLVED_EVENTS } from './input-values.ts';

/** Excludes options that require a platform gift ID, because each gift has its own ID. */
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

/** Applies a decision to several events. Skips events that no longer need it. */
export async function resolveTogether(
  { repository, donationServices }: AdminContext,
  { events: ids, ...command }: z.output<typeof resolveAllSchema>,
) {
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
  // Other people may have resolved the rest.
  return { resolved, skipped: new Set(ids).size - resolved };
}
