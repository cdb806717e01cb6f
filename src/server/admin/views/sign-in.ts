import { html } from 'hono/html';
import { renderCsrfField, renderDocument, type Html, type RequestContext } from './layout.ts';

export interface SignInForm {
  /** Path to open after signing in. */
  readonly returnTo: string;
  readonly problem?: string | undefined;
  /** Name that the admin entered before. */
  readonly name?: string | undefined;
}

export function renderSignInPage(
  context: RequestContext,
  { returnTo, problem, name = '' }: SignInForm,
): Html {
  return renderDocument(
    'Sign in · Donations',
    context,
    html`<main class="sign-in">
<h1>Donations</h1>
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

/** Renders the page for a configuration without an admin key. */
export function renderMissingKeyPage(context: RequestContext): Html {
  return renderDocument(
    'Admin key missing · Donations',
    context,
    html`<main class="message">
<h1>This page needs an admin key</h1>
<p>It shows donors’ data and can change donations. Add <code>"key": { "env": "ADMIN_KEY" }</code> to
<code>"admin"</code> in the configuration, set the variable to a long random text, and restart the server.</p>
</main>`,
  );
}
