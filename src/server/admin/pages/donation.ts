import { getTimeZone } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { getStatusLabel } from '../read-models/labels.ts';
import { loadDonationStory } from '../read-models/load-donation-story.ts';
import { renderDonationNotFoundPage, renderDonationPage } from '../views/donation.ts';
import type { PageRoutes } from './page-routes.ts';

/** Adds a donation's page and its forms. */
export function addDonationPage(routes: PageRoutes, context: AdminContext): void {
  routes.addPage('/donations/:reference', async (c) => {
    const openedReference = c.req.param('reference') ?? '';
    const story = await loadDonationStory(openedReference, context);
    if (!story) {
      c.status(404);
      return renderDonationNotFoundPage(c.get('context'));
    }
    const { organization } = story.donation;
    return renderDonationPage(
      { ...c.get('context'), organization },
      {
        ...story,
        now: context.now(),
        timeZone: getTimeZone(organization, context),
        openedReference,
      },
    );
  });

  routes.addActionForm('/donations/:reference/retry', 'donations.retry', {
    readInput: () => ({}),
    formatOutput: ({ results }) => results.join('\n'),
  });

  routes.addActionForm('/donations/:reference/resolve', 'donations.resolve', {
    formatOutput: ({ decision, donation }) => {
      const newStatus = `New status of ${decision.subject}: ${getStatusLabel(decision.to)}.`;
      const failure = donation ? '' : ' A later step failed. See the server log.';
      return `Saved: “${decision.decision}”. ${newStatus}${failure}`;
    },
  });
}
