import { html } from 'hono/html';
import { capitalize } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import {
  ALL_ORGANIZATIONS,
  PERMISSIONS,
  ROLES,
  SERVER_WIDE_PERMISSIONS,
} from '../../staff/roles.ts';
import type { StaffItem } from '../actions/staff.ts';
import type { TokenItem } from '../actions/tokens.ts';
import {
  renderAdminPage,
  renderBadge,
  renderCsrfField,
  renderDateTime,
  type ViewContext,
} from './layout.ts';
import { type Choice, renderSelect } from './select.ts';

/** Something that is shown only once. */
export interface StaffSecret {
  readonly kind: 'invitation' | 'token';
  /** Name of the person or token. */
  readonly name: string;
  readonly value: string;
}

export interface StaffPage {
  readonly people: readonly StaffItem[];
  readonly tokens: readonly TokenItem[];
  /** Organizations that the reader may manage. */
  readonly organizations: readonly Choice[];
  readonly timeZone: string;
  readonly secret?: StaffSecret | undefined;
}

export function renderStaffPage(context: ViewContext, page: StaffPage): Html {
  const { people, tokens, secret } = page;
  return renderAdminPage(
    'Staff · Donations',
    context,
    html`<header>
<h1>Staff</h1>
<p class="lede">People who sign in to these pages, and API tokens for programs.</p>
</header>
<main class="stack">
${secret ? renderSecret(secret) : ''}
<section aria-labelledby="people"><h2 id="people">People</h2>
${
  people.length === 0
    ? html`<p class="empty">Nobody yet. Invite yourself first: from then on, everybody signs in on their own,
and the server refuses the admin key.</p>`
    : html`<ul class="staff">${people.map((person) => renderPerson(person, context, page))}</ul>`
}
<details${people.length === 0 ? html` open` : ''}><summary>Invite a person</summary>
${renderInvitationForm(context, page)}</details>
</section>
<section aria-labelledby="tokens"><h2 id="tokens">API tokens</h2>
<p class="hint">A program with a token can do at most what the person who created the token can do now.</p>
${tokens.length === 0 ? '' : html`<ul class="staff">${tokens.map((token) => renderToken(token, context, page))}</ul>`}
<details><summary>Create an API token</summary>${renderTokenForm(context, page)}</details>
</section>
</main>`,
  );
}

function renderSecret({ kind, name, value }: StaffSecret): Html {
  const hint =
    kind === 'token'
      ? html`This is the API token “${name}”. The server does not show it again.`
      : html`The server could not mail ${name}, so send this link yourself. It signs ${name} in once, within
three days, and the server does not show it again.`;
  return html`<div class="notice" role="status"><p>${hint}</p>
<p><code class="id" tabindex="0">${value}</code></p></div>`;
}

function renderPerson(person: StaffItem, context: ViewContext, page: StaffPage): Html {
  const { id, name, email, memberships, invitedUntil, isRemovable } = person;
  const { csrf } = context;
  const ids = page.organizations.map(([organization]) => organization);
  const changeable = memberships.filter(({ organization }) => ids.includes(organization));
  const others = page.organizations.filter(
    ([organization]) => !memberships.some((one) => one.organization === organization),
  );
  return html`<li><h3>${name} ${invitedUntil === null ? '' : renderBadge('open', 'Invited')}</h3>
<p class="hint">${email}${
    invitedUntil === null
      ? ''
      : html` · The link is valid until ${renderDateTime(invitedUntil, page.timeZone)}.`
  }</p>
<ul>${memberships.map(
    ({ organization, roles }) =>
      html`<li>${nameOrganization(organization, page)}: ${roles.map((role) => capitalize(role)).join(', ')}</li>`,
  )}</ul>
<details><summary>Change<span class="visually-hidden"> ${name}</span></summary>
<div class="options">
${changeable.map(
  ({
    organization,
    roles,
  }) => html`<form class="option" method="post" action="/staff/${id}/roles">${renderCsrfField(csrf)}
<input type="hidden" name="organization" value="${organization}">
${renderCheckboxes(nameOrganization(organization, page), ROLES, roles)}
<button>Save the roles</button></form>`,
)}
${
  others.length === 0
    ? ''
    : html`<form class="option" method="post" action="/staff/${id}/roles">${renderCsrfField(csrf)}
${renderSelect('organization', 'Organization', others, '', `organization-${id}`)}
${renderCheckboxes('Roles in this organization', ROLES)}
<button>Add the roles</button></form>`
}
${
  isRemovable
    ? html`<form class="option" method="post" action="/staff/${id}/remove">${renderCsrfField(csrf)}
<p>${name} can no longer sign in, and the API tokens that ${name} created stop working.</p>
<button>Remove ${name}</button></form>`
    : ''
}
</div></details></li>`;
}

function renderInvitationForm({ csrf }: ViewContext, { organizations }: StaffPage): Html {
  return html`<form class="filters" method="post" action="/staff/invite">${renderCsrfField(csrf)}
<div><label for="name">Name</label><input id="name" name="name" required maxlength="80" autocomplete="off"></div>
<div><label for="email">Email</label><input id="email" name="email" type="email" required maxlength="254" autocomplete="off"></div>
${renderSelect('organization', 'Organization', organizations)}
<div class="search">${renderCheckboxes('Roles', ROLES)}</div>
<div class="actions"><button class="primary">Invite</button></div>
</form>`;
}

function renderToken(token: TokenItem, { csrf }: ViewContext, page: StaffPage): Html {
  const { id, name, organization, permissions, createdBy, createdAt, lastUsedAt } = token;
  return html`<li><h3>${name}</h3>
<p class="hint">${nameOrganization(organization, page)}: ${permissions.join(', ')}</p>
<p class="hint">Created by ${createdBy} on ${renderDateTime(createdAt, page.timeZone)}. ${
    lastUsedAt === null
      ? 'Never used.'
      : html`Last used on ${renderDateTime(lastUsedAt, page.timeZone)}.`
  }</p>
<form method="post" action="/staff/tokens/${id}/revoke">${renderCsrfField(csrf)}
<button>Revoke<span class="visually-hidden"> ${name}</span></button></form></li>`;
}

function renderTokenForm({ csrf }: ViewContext, { organizations }: StaffPage): Html {
  const hasServer = organizations.some(([id]) => id === ALL_ORGANIZATIONS);
  const permissions = PERMISSIONS.filter((one) => hasServer || !SERVER_WIDE_PERMISSIONS.has(one));
  return html`<form class="filters" method="post" action="/staff/tokens">${renderCsrfField(csrf)}
<div><label for="token-name">Purpose</label><input id="token-name" name="name" required maxlength="80"
autocomplete="off" placeholder="Accounting export"></div>
${renderSelect('organization', 'Organization', organizations, '', 'token-organization')}
<div class="search">${renderCheckboxes('Permissions', permissions)}</div>
<div class="actions"><button class="primary">Create</button></div>
</form>`;
}

function renderCheckboxes(
  legend: string,
  values: readonly string[],
  checked: readonly string[] = [],
): Html {
  return html`<fieldset class="checks"><legend>${legend}</legend>${values.map(
    (value) =>
      html`<label><input type="checkbox" name="${value}" value="on"${
        checked.includes(value) ? html` checked` : ''
      }> ${value.includes(':') ? value : capitalize(value)}</label>`,
  )}</fieldset>`;
}

function nameOrganization(id: string, { organizations }: StaffPage): string {
  if (id === ALL_ORGANIZATIONS) return 'All organizations';
  return organizations.find(([organization]) => organization === id)?.[1] ?? id;
}
