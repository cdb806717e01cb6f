import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import type { SignInMethods } from '../access/sign-in-services.ts';
import { renderAdminPage, renderCsrfField, type ViewContext } from './layout.ts';
import { PASSKEY_SCRIPT, renderHiddenFields, renderPasskeyForm } from './passkey-form.ts';

/** Heart icon in the accent color. */
const MARK = html`<svg class="mark" viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="12"/>
<path d="M20 29.5c-7-4.6-9.5-8-9.5-11.6a5 5 0 0 1 9.5-2.2 5 5 0 0 1 9.5 2.2c0 3.6-2.5 7-9.5 11.6Z"/></svg>`;

export interface SignInForm {
  readonly organizationNames: readonly string[];
  readonly methods: SignInMethods;
  readonly returnTo: string;
  readonly problem?: string | undefined;
  /** Name or email that was entered in the previous attempt. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** Renders a page of the sign-in, without navigation. */
export function renderSignInShell(
  context: Pick<ViewContext, 'csrf'>,
  {
    heading,
    problem,
    organization,
  }: {
    readonly heading: string;
    readonly problem?: string | undefined;
    readonly organization?: string | undefined;
  },
  body: Html,
): Html {
  return renderAdminPage(
    `${heading} · Donations`,
    { csrf: context.csrf },
    html`<main class="sign-in">
${MARK}
${organization === undefined ? '' : html`<p class="organization">${organization}</p>`}
<h1>${heading}</h1>
${renderProblem(problem)}
${body}
</main>`,
  );
}

export function renderNameField(name: string): Html {
  return html`<label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" enterkeyhint="next" required
maxlength="80" aria-describedby="name-hint">
<p class="hint" id="name-hint">Saved with every decision you make.</p>`;
}

export function renderEmailField(label: string, email: string): Html {
  return html`<label for="email">${label}</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="email" enterkeyhint="send"
required maxlength="254">`;
}

function renderProblem(problem: string | undefined): Html | string {
  return problem === undefined ? '' : html`<p class="notice problem" role="alert">${problem}</p>`;
}

export function renderSignInPage(context: ViewContext, form: SignInForm): Html {
  const { organizationNames, methods, problem } = form;
  const organization =
    organizationNames.length === 1
      ? organizationNames[0]
      : formatCount(organizationNames.length, 'organization');
  return renderSignInShell(
    context,
    { heading: 'Sign in to the admin pages', problem, organization },
    methods.hasPeople
      ? renderPersonForms(context, form)
      : html`<p class="lede">For the people who run this server.</p>
${renderKeyForm(context, form)}`,
  );
}

function renderKeyForm({ csrf }: ViewContext, { returnTo, name = '' }: SignInForm): Html {
  return html`<form method="post" action="/sign-in">${renderCsrfField(csrf)}
<input type="hidden" name="returnTo" value="${returnTo}">
${renderNameField(name)}
<label for="key">Admin key</label>
<input id="key" name="key" type="password" autocomplete="current-password" enterkeyhint="go"
required>
<button class="primary">Sign in</button>
</form>`;
}

function renderPersonForms({ csrf }: ViewContext, form: SignInForm): Html {
  const { methods, returnTo, email = '' } = form;
  return html`${methods.hasPasskeys ? PASSKEY_SCRIPT : ''}
${
  methods.hasPasskeys
    ? renderPasskeyForm({
        action: '/sign-in/passkey',
        csrf,
        field: 'passkey',
        optionsPath: '/sign-in/passkey/options',
        button: 'Sign in with a passkey',
        fields: renderHiddenFields({ returnTo }),
      })
    : ''
}
${
  methods.providerName === undefined
    ? ''
    : html`<form method="post" action="/sign-in/openid-connect">${renderCsrfField(csrf)}
<input type="hidden" name="returnTo" value="${returnTo}">
<button>Sign in with ${methods.providerName}</button></form>`
}
${
  methods.hasMail
    ? html`<form method="post" action="/sign-in/email">${renderCsrfField(csrf)}
<input type="hidden" name="returnTo" value="${returnTo}">
${renderEmailField('Email', email)}
<button>Email me a link</button>
</form>`
    : html`<p class="hint">This server sends no mail. If you have no other way to sign in, ask whoever runs
the server for a link from <code>donation-form staff add</code>.</p>`
}`;
}

/** The response's headers open the URL. */
export function renderProviderPage(context: ViewContext, name: string, url: string): Html {
  return renderSignInShell(
    context,
    { heading: `Continuing to ${name}…` },
    html`<p><a class="button" href="${url}">Continue to ${name}</a></p>`,
  );
}

/** The same for all emails, known or not. */
export function renderLinkSentPage(context: ViewContext, code: string): Html {
  return renderSignInShell(
    context,
    { heading: 'Check your email' },
    html`<p class="lede">If you have an account here, you will receive a link in a moment. Open it in this browser.</p>
<p>If it opens in another browser, enter this code there: <strong class="code">${code.slice(0, 3)} ${code.slice(3)}</strong></p>
<p class="hint">The link works once, for 30 minutes. No mail? Check the spam folder and the spelling of your email.</p>
<p><a href="/sign-in">Use another email</a></p>`,
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
