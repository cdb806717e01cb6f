import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  type AuthenticationRoutesOptions,
  createAuthenticationRoutes,
} from './pages/authentication.ts';
import { type CheckoutRoutesOptions, createCheckoutPageRoutes } from './pages/checkout-page.ts';
import { createFrameRoutes, type FrameRoutesOptions } from './pages/frames.ts';
import { renderPage } from './pages/layout.ts';
import { createPortalRoutes, type PortalRoutesOptions } from './pages/portal-routes.ts';
import { createScriptRoutes, type ScriptRoutesOptions } from './script-routes.ts';
import { StripeApiError } from './stripe-error.ts';

type PagesOptions = AuthenticationRoutesOptions &
  CheckoutRoutesOptions &
  FrameRoutesOptions &
  PortalRoutesOptions &
  ScriptRoutesOptions;

/**
 * Creates the emulated Stripe pages for donors, and the pages' scripts and styles. Only pages
 * inside frames use scripts.
 */
export function createPages(options: PagesOptions): Hono {
  const app = new Hono()
    .route('/', createScriptRoutes(options))
    .route('/', createFrameRoutes(options))
    .route('/', createAuthenticationRoutes(options))
    .route('/', createCheckoutPageRoutes(options))
    .route('/', createPortalRoutes(options));
  app.onError((error) => {
    if (error instanceof StripeApiError)
      return renderPage(
        options.getBaseUrl(),
        'Page not found',
        html`<h1>Page not found</h1><p class="quiet">The link may be incomplete or no longer valid.</p>`,
        { status: error.status },
      );
    throw error;
  });
  return app;
}
