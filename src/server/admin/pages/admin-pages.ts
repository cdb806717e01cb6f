import { Hono } from 'hono';
import { createPageAssetRoutes } from '../../http/routes/pages.ts';
import type { AdminKeyVerifier } from '../access/admin-key.ts';
import { SessionRepository } from '../access/sessions.ts';
import { selectOrganization } from '../actions/organizations.ts';
import type { StaffActions } from '../actions/staff-actions.ts';
import type { AdminContext } from '../admin-context.ts';
import { IncomeCache } from '../read-models/income-cache.ts';
import { getStatusLabel } from '../read-models/labels.ts';
import { loadDonationStory } from '../read-models/load-donation-story.ts';
import { loadOverviewData } from '../read-models/overview.ts';
import { renderDonationNotFoundPage, renderDonationPage } from '../views/donation.ts';
import { renderOverviewPage } from '../views/overview.ts';
import { renderMissingKeyPage } from '../views/sign-in.ts';
import { addDonationListPage } from './donation-list.ts';
import { addFormBuilder } from './form-builder.ts';
import { PAGE_HEADERS, type PageEnv } from './page-context.ts';
import { PageRoutes } from './page-routes.ts';
import { addReviewPage } from './review.ts';
import { addSignInPages, createSignInForm } from './sign-in.ts';

/** Creates the admin pages. Only the form builder needs JavaScript. */
export function createAdminPages(
  context: AdminContext,
  actions: StaffActions,
  verifier: AdminKeyVerifier | undefined,
): Hono<PageEnv> {
  const { database, key, now, organizations, scripts } = context;
  const app = new Hono<PageEnv>();
  app.route('/', createPageAssetRoutes(scripts));
  if (key === undefined || !verifier)
    return app.all('*', (c) => c.html(renderMissingKeyPage({ csrf: '' }), 403, PAGE_HEADERS));
  const sessions = new SessionRepository(database, key, now);
  const sendSignInForm = createSignInForm(organizations);
  const routes = new PageRoutes({ sessions, actions, sendSignInForm });
  addSignInPages(routes, verifier, { sessions, sendSignInForm });
  addOverviewPage(routes, context);
  addDonationListPage(routes, context, key);
  addDonationPage(routes, context);
  addReviewPage(routes, context);
  addFormBuilder(routes.app, context);
  return app.route('/', routes.app);
}

/** Adds the overview and the forms that pause and resume organizations. */
function addOverviewPage(routes: PageRoutes, context: AdminContext): void {
  const incomeCache = new IncomeCache(context);

  routes.addPage('/', async (c) => {
    const organization = selectOrganization(c.req.query('organization'), context);
    const data = await loadOverviewData(context, incomeCache, organization);
    return renderOverviewPage(
      { ...c.get('context'), organization: organization.id, page: '/' },
      data,
    );
  });

  for (const name of ['pause', 'resume'] as const)
    routes.addActionForm(`/organizations/:id/${name}`, `organizations.${name}`, {
      formatOutput: ({ result }) => result,
    });
}

/** Adds a donation's page and its forms. */
function addDonationPage(routes: PageRoutes, context: AdminContext): void {
  routes.addPage('/donations/:reference', async (c) => {
    const story = await loadDonationStory(c.req.param('reference') ?? '', context);
    if (!story) {
      c.status(404);
      return renderDonationNotFoundPage(c.get('context'));
    }
    const { organization } = story.donation;
    return renderDonationPage({ ...c.get('context'), organization }, story);
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
