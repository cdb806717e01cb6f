import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import { renderCsrfField, type ViewContext } from './layout.ts';
import { renderEmailField, renderNameField, renderSignInShell } from './sign-in.ts';

interface LinkPage {
  /** Path of the page, to which its form is sent. */
  readonly path: string;
  readonly problem?: string | undefined;
}

/** Renders a link's page. Only its button uses the link, because scanners open links in mails. */
export function renderSignInLinkPage(
  context: ViewContext,
  { path, problem, needsCode }: LinkPage & { readonly needsCode: boolean },
): Html {
  return renderSignInShell(
    context,
    { heading: 'Sign in to the admin pages', problem },
    html`<form method="post" action="${path}">${renderCsrfField(context.csrf)}
${
  needsCode
    ? html`<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" enterkeyhint="go" required
maxlength="7" aria-describedby="code-hint">
<p class="hint" id="code-hint">You asked for this link in another browser, which shows the code of 6 digits.
Did somebody else ask for the code? Then close this page.</p>`
    : ''
}
<button class="primary">Sign in</button>
</form>`,
  );
}

export function renderInvitationPage(
  context: ViewContext,
  {
    path,
    problem,
    name,
    email = '',
    providerName,
  }: LinkPage & {
    readonly name: string;
    readonly email?: string;
    readonly providerName?: string | undefined;
  },
): Html {
  return renderSignInShell(
    context,
    { heading: `Welcome, ${name}`, problem },
    html`<p class="lede">You are invited to the admin pages. Enter the email to which the invitation was sent.</p>
<form method="post" action="${path}">${renderCsrfField(context.csrf)}
${renderEmailField('Your email', email)}
<button class="primary">Accept the invitation</button>
${providerName === undefined ? '' : html`<button name="with" value="provider">Accept, and sign in with ${providerName}</button>`}
</form>`,
  );
}

/** Renders the page on which the first person introduces themselves. */
export function renderSetupPage(
  context: ViewContext,
  {
    path,
    problem,
    name = '',
    email = '',
  }: LinkPage & { readonly name?: string; readonly email?: string },
): Html {
  return renderSignInShell(
    context,
    { heading: 'Set up the admin pages', problem },
    html`<p class="lede">You become an administrator of all organizations, and can invite others.</p>
<form method="post" action="${path}">${renderCsrfField(context.csrf)}
${renderNameField(name)}
${renderEmailField('Your email', email)}
<button class="primary">Create my account</button>
</form>`,
  );
}

export function renderDeadLinkPage(context: ViewContext): Html {
  return renderSignInShell(
    context,
    { heading: 'This link no longer works' },
    html`<p class="lede">It was used already, or it is too old.</p>
<p><a class="button" href="/sign-in">Sign in</a></p>`,
  );
}
