import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import type { SignInMethods } from '../access/sign-in-services.ts';
import { renderCsrfField, type ViewContext } from './layout.ts';
import { PASSKEY_SCRIPT, renderHiddenFields, renderPasskeyForm } from './passkey-form.ts';
import { renderSignInShell } from './sign-in.ts';

interface ConfirmPage {
  /** Path to which the form was sent. */
  readonly path: string;
  /** What the form contained. */
  readonly fields: Readonly<Record<string, string>>;
  readonly methods: SignInMethods;
  readonly problem?: string | undefined;
  readonly isLinkSent?: boolean | undefined;
}

/** Asks the person to confirm that it is them, and then sends the same form again. */
export function renderConfirmPage(
  context: ViewContext,
  { path, fields, methods, problem, isLinkSent = false }: ConfirmPage,
): Html {
  const { csrf } = context;
  const typed = renderHiddenFields(fields);
  return renderSignInShell(
    context,
    { heading: 'Confirm that it is you', problem },
    html`<p class="lede">You signed in a while ago, so confirm before this change. Nothing you typed is lost.</p>
${methods.hasPasskeys ? PASSKEY_SCRIPT : ''}
${
  methods.hasPasskeys
    ? renderPasskeyForm({
        action: path,
        csrf,
        field: 'passkey',
        optionsPath: '/sign-in/passkey/options',
        button: 'Confirm with a passkey',
        isPrimary: !isLinkSent,
        fields: typed,
      })
    : ''
}
${methods.providerName === undefined ? '' : renderProviderForm(csrf, path, typed, methods.providerName)}
${isLinkSent ? html`<p class="notice" role="status">We have sent you a link. Open it in this browser, then continue here.</p>` : ''}
${methods.hasMail ? renderLinkForm(csrf, path, typed, isLinkSent) : ''}
${
  methods.hasMail || methods.hasPasskeys || methods.providerName !== undefined
    ? ''
    : html`<p>Sign out, and sign in again. Then repeat the change.</p>`
}`,
  );
}

/** Opens the provider in another tab, so that nothing typed here is lost. */
function renderProviderForm(
  csrf: string,
  path: string,
  typed: readonly Html[],
  name: string,
): Html {
  return html`<form method="post" action="/sign-in/openid-connect" target="_blank">${renderCsrfField(csrf)}
<input type="hidden" name="returnTo" value="/account">
<button>Confirm with ${name}, in a new tab</button></form>
<form method="post" action="${path}">${renderCsrfField(csrf)}<input type="hidden" name="confirmed" value="yes">
${typed}
<button>I have confirmed with ${name}</button></form>`;
}

function renderLinkForm(
  csrf: string,
  path: string,
  typed: readonly Html[],
  isLinkSent: boolean,
): Html {
  const linkPath = `/account/confirm?${new URLSearchParams({ path }).toString()}`;
  return html`<form method="post" action="${path}">${renderCsrfField(csrf)}<input type="hidden" name="confirmed" value="yes">
${typed}
${isLinkSent ? html`<button class="primary">Continue</button>` : ''}
<button formaction="${linkPath}">${isLinkSent ? 'Send another link' : 'Email me a link'}</button>
</form>`;
}
