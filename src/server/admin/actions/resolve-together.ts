import type { z } from 'zod';
import type { OutboxEntry, ReviewDecision } from '../../database/schema.ts';
import {
  InvalidDecisionError,
  listEventReviewOptions,
  type ReviewOption,
} from '../../donations/review-options.ts';
import { type ActorContext, listReadableOrganizations } from '../access/actor-context.ts';
import type { matchSchema, resolveAllSchema } from './input-schemas.ts';
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
  { decision, organization, ...filter }: z.output<typeof matchSchema>,
  context: ActorContext,
): Promise<OutboxEntry[]> {
  const events = await context.repository.reviewDecisions.listEntriesNeedingReview(
    { ...filter, organizations: listReadableOrganizations(context, organization) },
    MAX_RESOLVED_EVENTS,
  );
  return events.filter((event) => findCommonOption(event, decision, context.now()) !== undefined);
}

/** Applies a decision to several events. Skips events that no longer need it. */
export async function resolveTogether(
  { repository, donationServices, isPermitted }: ActorContext,
  { events: ids, ...command }: z.output<typeof resolveAllSchema>,
) {
  const organizations = new Set<string>();
  let resolved = 0;
  for (const id of new Set(ids)) {
    const event = await repository.outbox.findById(id);
    if (event?.status !== 'needs_review' && event?.status !== 'manual') continue;
    if (!isPermitted(event.organization)) continue;
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
