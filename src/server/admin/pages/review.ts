import type { ReviewDecision } from '../../database/schema.ts';
import { DECISIONS } from '../actions/input-values.ts';
import { getTimeZone } from '../actions/organizations.ts';
import { findCommonOption, listResolvableEvents } from '../actions/resolve-together.ts';
import { DECISION_LABELS } from '../read-models/labels.ts';
import { toReviewItems } from '../read-models/review-items.ts';
import { type GroupDecision, renderReviewGroupPage } from '../views/review-group.ts';
import type { PageRoutes } from './page-routes.ts';

/** Maximum size of a form that resolves several events and contains their IDs, in bytes. */
const MAX_GROUP_FORM_SIZE = 512 * 1024;

export function addReviewPage(routes: PageRoutes): void {
  routes.addPage('/review', 'donations:change', async (c, context) => {
    const { repository, now } = context;
    const { organization = '', reason = '' } = c.req.query();
    const decisions = await Promise.all(
      DECISIONS.map(async (decision): Promise<GroupDecision[]> => {
        const filter = { decision, organization, reason };
        const events = (await listResolvableEvents(filter, context)).filter(
          (event) => event.lastError === reason,
        );
        const option = events[0] && findCommonOption(events[0], decision, now());
        return option ? [{ option, items: await toReviewItems(events, repository) }] : [];
      }),
    );
    const timeZone = getTimeZone(organization, context);
    const group = { organization, reason, timeZone, decisions: decisions.flat() };
    return renderReviewGroupPage(c.get('context'), group);
  });

  routes.addActionForm('/review/resolve', 'review.resolve', {
    readInput: ({ events = '', ...fields }, by) => ({ ...fields, by, events: parseJson(events) }),
    maxSize: MAX_GROUP_FORM_SIZE,
    formatOutput: ({ resolved, skipped }, { decision }) => {
      const rest =
        skipped === 0 ? '' : ` Items skipped because they no longer needed a decision: ${skipped}.`;
      return `Saved. Items resolved as “${DECISION_LABELS[decision as ReviewDecision]}”: ${resolved}.${rest}`;
    },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
