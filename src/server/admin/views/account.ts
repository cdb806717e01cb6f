import { html } from 'hono/html';
import { capitalize } from '@donation-form/core/i18n';
import type { StaffPasskeyRow } from '../../database/schema.ts';
import type { Html } from '../../http/render-document.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import type { StaffPerson } from '../../staff/staff-repository.ts';
import type { SessionSummary } from '../access/sessions.ts';
import { describeOrganization } from '../actions/organizations.ts';
import {
  renderAdminPage,
  renderBadge,
  renderCsrfField,
  renderRelativeTime,
  type ViewContext,
} from './layout.ts';
import { PASSKEY_SCRIPT, renderPasskeyForm } from './passkey-form.ts';

interface AccountPage {
  /** Undefined with the admin key. */
  readonly person: StaffPerson | undefined;
  readonly organizations: Organizations;
  readonly passkeys: readonly StaffPasskeyRow[];
  readonly canAddPasskeys: boolean;
  /** The current one, such as `Firefox on Linux`. */
  readonly device: string;
  readonly sessions: readonly SessionSummary[];
  readonly provider: { readonly name: string; readonly isLinked: boolean } | undefined;
  readonly now: number;
}

export function renderAccountPage(context: ViewContext, page: AccountPage): Html {
  const { person } = page;
  return renderAdminPage(
    'Your account · Donations',
    { ...context, page: '/account' },
    html`${page.canAddPasskeys ? PASSKEY_SCRIPT : ''}
<header>
<h1>Your account</h1>
<p class="lede">${person ? html`${person.name}, ${person.email}` : 'You signed in with the admin key.'}</p>
</header>
<main class="stack account">
${
  person
    ? html`${renderPasskeys(context, page)}
${renderProvider(context, page)}
${renderSessions(context, page)}
${renderRoles(person, page)}`
    : ''
}
</main>`,
  );
}

function renderPasskeys(
  { csrf }: ViewContext,
  { passkeys, canAddPasskeys, device, now }: AccountPage,
): Html {
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p class="hint">A passkey signs you in with your fingerprint, face, or PIN, without a mail.</p>
${
  passkeys.length === 0
    ? html`<p class="empty">You have no passkey yet.</p>`
    : html`<ul class="devices">${passkeys.map(
        ({ id, name, lastUsedAt }) => html`<li><div><strong>${name}</strong>
<span class="hint">${lastUsedAt === null ? 'Never used' : html`Last used ${renderRelativeTime(lastUsedAt, now)}`}</span></div>
${renderEntryButton(csrf, '/account/passkeys/remove', id, 'Remove', name)}</li>`,
      )}</ul>`
}
${
  canAddPasskeys
    ? html`${renderPasskeyForm({
        action: '/account/passkeys/add',
        csrf,
        field: 'registration',
        optionsPath: '/account/passkeys/options',
        button: 'Add a passkey',
        isPrimary: passkeys.length === 0,
        fields: html`<label for="device">Name of this device</label>
<input id="device" name="name" value="${device}" required maxlength="80" autocomplete="off">`,
      })}
<noscript><p class="hint">Adding a passkey requires JavaScript.</p></noscript>`
    : html`<p class="hint">Browsers offer passkeys only at a domain. Set <code>admin.url</code> in the configuration.</p>`
}
</section>`;
}

function renderProvider({ csrf }: ViewContext, { provider }: AccountPage): Html | string {
  if (!provider) return '';
  const { name, isLinked } = provider;
  return html`<section aria-labelledby="provider"><h2 id="provider">${name}</h2>
<p class="hint">${isLinked ? `You can sign in with your account of ${name}.` : `Link your account of ${name} to sign in with it.`}</p>
<form method="post" action="/account/identity/${isLinked ? 'unlink' : 'link'}">${renderCsrfField(csrf)}
<button>${isLinked ? `Unlink ${name}` : `Link ${name}`}</button></form>
</section>`;
}

function renderSessions({ csrf }: ViewContext, { sessions, now }: AccountPage): Html {
  return html`<section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
<ul class="devices">${sessions.map(
    ({ id, device, lastUsedAt, isCurrent }) => html`<li><div><strong>${device}</strong>
${isCurrent ? renderBadge('done', 'This session') : html`<span class="hint">Last used ${renderRelativeTime(lastUsedAt, now)}</span>`}</div>
${renderEntryButton(csrf, '/account/sessions/end', id, 'Sign out', device)}</li>`,
  )}</ul>
${
  sessions.length > 1
    ? html`<form method="post" action="/account/sessions/end-others">${renderCsrfField(csrf)}
<button>Sign out everywhere else</button></form>`
    : ''
}
</section>`;
}

function renderEntryButton(
  csrf: string,
  action: string,
  id: string,
  label: string,
  name: string,
): Html {
  return html`<form method="post" action="${action}">${renderCsrfField(csrf)}<input type="hidden" name="id" value="${id}">
<button class="link" aria-label="${label}: ${name}">${label}</button></form>`;
}

function renderRoles({ memberships }: StaffPerson, context: AccountPage): Html {
  return html`<section aria-labelledby="roles"><h2 id="roles">Roles</h2>
${
  memberships.length === 0
    ? html`<p class="empty">You have no role. Ask an administrator for one.</p>`
    : html`<dl>${memberships.map(
        ({ organization, roles }) =>
          html`<div><dt>${organization === ALL_ORGANIZATIONS ? 'All organizations' : describeOrganization(organization, context)}</dt><dd>${roles.map((role) => capitalize(role)).join(', ')}</dd></div>`,
      )}</dl>`
}
</section>`;
}
