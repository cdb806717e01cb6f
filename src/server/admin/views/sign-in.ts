import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import { renderAdminPage, renderCsrfField, type ViewContext } from './layout.ts';

/** Heart icon in the accent color. */
const MARK = html`<svg class="mark" viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="12"/>
<path d="M20 29.5c-7-4.6-9.5-8-9.5-11.6a5 5 0 0 1 9.5-2.2 5 5 0 0 1 9.5 2.2c0 3.6-2.5 7-9.5 11.6Z"/></svg>`;

export interface SignInForm {
  readonly organizationNames: readonly string[];
  readonly returnTo: string;
  readonly problem?: string | undefined;
  /** Name that the admin entered in the previous attempt. */
  readonly name?: string | undefined;
}

export function renderSignInPage(
  context: ViewContext,
  { organizationNames, returnTo, problem, name = '' }: SignInForm,
): Html {
  const organization =
    organizationNames.length === 1
      ? organizationNames[0]
      : formatCount(organizationNames.length, 'organization');
  return renderAdminPage(
    'Sign in · Donations',
    context,
    html`<main class="sign-in">
${MARK}
<p class="organization">${organization}</p>
<h1>Sign in to the admin pages</h1>
<p class="lede">For the people who run this server.</p>
${problem === undefined ? '' : html`<p class="notice problem" role="alert">${problem}</p>`}
<form method="post" action="/sign-in">${renderCsrfField(context.csrf)}
<input type="hidden" name="returnTo" value="${returnTo}">
<label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" enterkeyhint="next" required
maxlength="80" aria-describedby="name-hint">
<p class="hint" id="name-hint">Saved with every decision you make.</p>
<label for="key">Admin key</label>
<input id="key" name="key" type="password" autocomplete="current-password" enterkeyhint="go"
required>
<button class="primary">Sign in</button>
</form>
</main>`,
  );
}

export function renderMissingKeyPage(context: ViewContext): Html {
  return renderAdminPage(
    'Admin key missing · Donations',
    context,
    html`<main class="message">
<h1>This page requires an admin key</h1>
<p>It shows donor data and can change donations. Add <code>"key": { "env": "ADMIN_KEY" }</code> to
<code>"admin"</code> in the configuration, set that environment variable to a long random string,
and restart the server.</p>
</main>`,
  );
}
