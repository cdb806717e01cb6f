import { Hono } from 'hono';
import { createPageAssetRoutes } from '../../http/routes/pages.ts';
import type { AdminKeyVerifier } from '../access/admin-key.ts';
import { SessionRepository } from '../access/sessions.ts';
import type { StaffActions } from '../actions/staff-actions.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderMissingKeyPage } from '../views/sign-in.ts';
import { addDonationPage } from './donation.ts';
import { addDonationListPage } from './donation-list.ts';
import { addFormBuilder, type FormBuilderOptions } from './form-builder.ts';
import { addOverviewPage } from './overview.ts';
import { PAGE_HEADERS, type PageEnv } from './page-context.ts';
import { PageRoutes } from './page-routes.ts';
import { addReviewPage } from './review.ts';
import { addSignInPages, createSignInForm } from './sign-in.ts';

export interface AdminPagesOptions extends AdminContext, FormBuilderOptions {
  readonly actions: StaffActions;
  /** The admin key, which also secures the sessions. */
  readonly key: string | undefined;
  /** Verifier of the admin key. Undefined if the configuration has no key. */
  readonly verifier: AdminKeyVerifier | undefined;
}

/**
 * Creates the admin pages. Every path requires a session, except the sign-in page and the static
 * assets. Only the form builder needs JavaScript.
 */
export function createAdminPages(options: AdminPagesOptions): Hono<PageEnv> {
  const { actions, database, key, verifier, now, organizations, scripts } = options;
  const app = new Hono<PageEnv>();
  app.route('/', createPageAssetRoutes(scripts));
  if (key === undefined || !verifier)
    return app.all('*', (c) => c.html(renderMissingKeyPage({ csrf: '' }), 403, PAGE_HEADERS));
  const sessions = new SessionRepository(database, key, now);
  const sendSignInForm = createSignInForm(organizations);
  const routes = new PageRoutes({ sessions, actions, sendSignInForm });
  addSignInPages(routes, { verifier, sessions, sendSignInForm });
  addOverviewPage(routes, options);
  addDonationListPage(routes, { ...options, key });
  addDonationPage(routes, options);
  addReviewPage(routes, options);
  addFormBuilder(routes.app, options);
  return app.route('/', routes.app);
}
