import { Hono } from 'hono';
import { createPageAssetRoutes } from '../../http/routes/pages.ts';
import type { AdminKeyVerifier } from '../access/admin-key.ts';
import { createSignInServices } from '../access/sign-in-services.ts';
import { selectOrganization } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { createIncomeCache } from '../read-models/income-cache.ts';
import { getStatusLabel } from '../read-models/labels.ts';
import { loadDonationStory } from '../read-models/load-donation-story.ts';
import { loadOverviewData } from '../read-models/overview.ts';
import { renderDonationNotFoundPage, renderDonationPage } from '../views/donation.ts';
import { renderOverviewPage } from '../views/overview.ts';
import { renderMissingKeyPage } from '../views/sign-in.ts';
import { addAccountPages } from './account.ts';
import { addAuditLogPage } from './audit-log.ts';
import { addDonationListPage } from './donation-list.ts';
import { addFormBuilder } from './form-builder.ts';
import { addLinkPages } from './links.ts';
import { addMailPage } from './mail.ts';
import { addOpenIdConnect } from './openid-connect.ts';
import { PAGE_HEADERS, type PageEnv } from './page-context.ts';
import { PageRoutes } from './page-routes.ts';
import { addReceiptPages } from './receipts.ts';
import { addReviewPage } from './review.ts';
import { addSignInPages } from './sign-in.ts';
import { addStaffPage } from './staff.ts';

/** Creates the admin pages. Only the form builder and passkeys need JavaScript. */
export function createAdminPages(
  context: AdminContext,
  verifier: AdminKeyVerifier | undefined,
): Hono<PageEnv> {
  const { key, loadAssets } = context;
  const app = new Hono<PageEnv>();
  app.route('/', createPageAssetRoutes(loadAssets));
  return key === undefined || !verifier
    ? app.all('*', (c) => c.html(renderMissingKeyPage({ csrf: '' }), 403, PAGE_HEADERS))
    : app.route('/', addPages(key, verifier, context).app);
}

/** @param key the admin key. */
export function addPages(
  key: string,
  verifier: AdminKeyVerifier,
  context: AdminContext,
): PageRoutes {
  const routes = new PageRoutes(createSignInServices(context, key), context);
  addSignInPages(routes, context, verifier);
  addLinkPages(routes, context);
  addAccountPages(routes, context);
  addOpenIdConnect(routes, context);
  addOverviewPage(routes, context);
  addDonationListPage(routes, key);
  addDonationPage(routes);
  addReceiptPages(routes);
  addReviewPage(routes);
  addMailPage(routes);
  addStaffPage(routes);
  addAuditLogPage(routes);
  addFormBuilder(routes);
  return routes;
}

/** Adds the overview and the forms that pause and resume organizations. */
function addOverviewPage(routes: PageRoutes, cached: Pick<AdminContext, 'database' | 'now'>): void {
  const getIncome = createIncomeCache(cached);

  routes.addPage('/', 'totals:read', async (c, context) => {
    const organization = selectOrganization(c.req.query('organization'), context);
    const data = await loadOverviewData(context, getIncome, organization);
    return renderOverviewPage(
      { ...c.get('context'), organization: organization.id, page: '/' },
      data,
    );
  });

  for (const name of ['pause', 'resume'] as const)
    routes.addActionForm(`/organizations/:id/${name}`, `organizations.${name}`, {
      formatOutput: ({ result }) => result,
    });
  for (const name of ['pause', 'resume'] as const)
    routes.addActionForm(`/mail/${name}`, `mail.${name}`, {
      formatOutput: ({ result }) => result,
    });
}

/** Adds a donation's page and its forms. */
function addDonationPage(routes: PageRoutes): void {
  routes.addPage('/donations/:reference', 'donations:read', async (c, context) => {
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

  routes.addActionForm('/donations/:reference/resend', 'donations.resend', {
    readInput: () => ({}),
    formatOutput: () => 'The server will try to send the message again.',
  });

  routes.addActionForm('/donations/:reference/gift-aid/cancel', 'gift-aid.cancel', {
    readInput: ({ from }, by) => ({ by, ...(from && { from }) }),
    formatOutput: ({ from, canceled }) =>
      `The donor’s Gift Aid declarations are canceled from ${from}: ${canceled.join(', ')}.`,
  });

  routes.addActionForm('/donations/:reference/resolve', 'donations.resolve', {
    formatOutput: ({ decision, donation }) => {
      const newStatus = `New status of ${decision.subject}: ${getStatusLabel(decision.to)}.`;
      const failure = donation ? '' : ' A later step failed. See the server log.';
      return `Saved: “${decision.decision}”. ${newStatus}${failure}`;
    },
  });
}
