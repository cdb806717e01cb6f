import { html } from 'hono/html';
import { isReference } from '../../donations/reference.ts';
import type { Html } from '../../http/render-document.ts';
import { PAGE_SIZE } from '../../staff/audit-log.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import type { AuditItem } from '../read-models/audit-items.ts';
import { renderAdminPage, renderBadge, renderDateTime, type ViewContext } from './layout.ts';
import { type Choice, renderSelect } from './select.ts';

type Values = Readonly<Record<string, unknown>>;

export interface AuditLogPage {
  readonly items: readonly AuditItem[];
  readonly query: Readonly<Partial<Record<'actor' | 'from' | 'to' | 'before', string>>>;
  /** People and API tokens, to filter by. */
  readonly actors: readonly Choice[];
  readonly timeZone: string;
}

const KIND_NAMES: Readonly<Record<AuditItem['actorKind'], string>> = {
  person: 'Person',
  token: 'API token',
  'admin-key': 'Admin key',
  anonymous: 'Not signed in',
  shell: 'Command line',
};

/** Formats who did something, such as `Maria Silva` or `Command line (root)`. */
export function formatActor({
  actorKind,
  actorName,
}: Pick<AuditItem, 'actorKind' | 'actorName'>): string {
  if (actorKind === 'person') return actorName;
  return actorName === '' ? KIND_NAMES[actorKind] : `${KIND_NAMES[actorKind]} (${actorName})`;
}

export function renderAuditLogPage(context: ViewContext, page: AuditLogPage): Html {
  const { items, query, timeZone } = page;
  const { actor = '', from = '', to = '' } = query;
  const filter = { actor, from, to };
  return renderAdminPage(
    'Audit log · Donations',
    context,
    html`<header>
<h1>Audit log</h1>
<p class="lede">Who changed or exported something, when, and from where.</p>
</header>
<main class="stack">
${renderFilterForm(page)}
<section aria-labelledby="entries">
<div class="results"><h2 id="entries">${query.before === undefined ? 'Newest entries' : 'Older entries'}</h2>
<a class="button" href="/audit-log/export?${new URLSearchParams(filter).toString()}" download>Export as CSV</a></div>
${
  items.length === 0
    ? html`<p class="empty">No entry matches. Choose a longer period, or another person.</p>`
    : renderTable(items, timeZone)
}
<p class="hint zone">Times are in ${timeZone}.</p>
${renderPageLinks(items, filter)}
</section>
</main>`,
  );
}

function renderFilterForm({ query, actors }: AuditLogPage): Html {
  const { actor = '', from = '', to = '' } = query;
  const choices: Choice[] = [
    ['', 'Anybody'],
    ...actors,
    ['admin-key', KIND_NAMES['admin-key']],
    ['shell', KIND_NAMES.shell],
  ];
  return html`<form class="filters" method="get" action="/audit-log" role="search" aria-label="Audit log">
${renderSelect('actor', 'Who', choices, actor)}
<div><label for="from">First day</label><input id="from" name="from" type="date" value="${from}"></div>
<div><label for="to">Last day</label><input id="to" name="to" type="date" value="${to}"></div>
<div class="actions"><button class="primary">Show</button></div>
</form>`;
}

function renderTable(items: readonly AuditItem[], timeZone: string): Html {
  return html`<table class="audit" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Time</th>
<th role="columnheader" scope="col">Who</th>
<th role="columnheader" scope="col">Action</th>
<th role="columnheader" scope="col">Change</th>
<th role="columnheader" scope="col">Result</th></tr></thead>
<tbody role="rowgroup">${items.map((item) => renderRow(item, timeZone))}</tbody></table>`;
}

function renderRow(item: AuditItem, timeZone: string): Html {
  const { at, address, action, organization, subject, before, after } = item;
  const where = organization === ALL_ORGANIZATIONS ? 'All organizations' : organization;
  return html`<tr role="row">
<td role="cell">${renderDateTime(at, timeZone, { hasZone: false, hasSeconds: true })}</td>
<th role="rowheader" scope="row">${formatActor(item)} <span class="hint">${address}</span></th>
<td role="cell"><code>${action}</code> <span class="hint">${where}${renderSubject(subject)}</span></td>
<td role="cell">${formatChange((before ?? {}) as Values, (after ?? {}) as Values)}</td>
<td role="cell">${renderResult(item)}</td>
</tr>`;
}

/** Shows references, which are links. The export also has the IDs of people and tokens. */
function renderSubject(subject: string): Html | '' {
  return isReference(subject) ? html` · <a href="/donations/${subject}">${subject}</a>` : '';
}

function renderResult({ result }: AuditItem): Html {
  if (result === 'done') return renderBadge('done', 'Done');
  return result === 'failed'
    ? renderBadge('failed', 'Failed')
    : renderBadge('needs-review', 'Unknown');
}

/** Formats values such as `email: ana@example.org; roles: finance → fundraiser`. */
function formatChange(before: Values, after: Values): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => {
      const values = [before, after].filter((side) => name in side).map((side) => side[name]);
      return `${name}: ${[...new Set(values.map(formatValue))].join(' → ')}`;
    })
    .join('; ');
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || 'none';
  return typeof value === 'object' && value !== null
    ? `(${formatChange({}, value as Values)})`
    : String(value);
}

function renderPageLinks(
  items: readonly AuditItem[],
  filter: Readonly<Record<string, string>>,
): Html | '' {
  const last = items.at(-1);
  if (items.length < PAGE_SIZE || !last) return '';
  const query = new URLSearchParams({ ...filter, before: last.id }).toString();
  return html`<div class="pages"><a class="button" href="/audit-log?${query}" rel="next">Older entries</a></div>`;
}
