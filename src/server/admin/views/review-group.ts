import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { ReviewOption } from '../../donations/review-options.ts';
import type { Html } from '../../http/render-document.ts';
import { EVENT_KIND_LABELS } from '../read-models/labels.ts';
import type { ReviewItem } from '../read-models/review-items.ts';
import { renderAdminPage, renderCsrfField, renderDateTime, type ViewContext } from './layout.ts';

export interface GroupDecision {
  readonly option: ReviewOption;
  readonly items: readonly ReviewItem[];
}

interface ReviewGroup {
  readonly organization: string;
  readonly reason: string;
  readonly timeZone: string;
  readonly decisions: readonly GroupDecision[];
}

export function renderReviewGroupPage(
  context: ViewContext,
  { organization, reason, timeZone, decisions }: ReviewGroup,
): Html {
  return renderAdminPage(
    'Resolve together · Donations',
    context,
    html`<header>
<p class="organization">${organization}</p>
<h1>Resolve together</h1>
<p class="lede">${reason}</p>
</header>
<main class="stack">
${decisions.length === 0 ? html`<p class="empty">No items with this reason can be resolved together.</p>` : ''}
${decisions.map((decision, index) => renderDecision(decision, index, { csrf: context.csrf, timeZone }))}
</main>`,
  );
}

function renderDecision(
  { option: { decision, title, effect }, items }: GroupDecision,
  index: number,
  { csrf, timeZone }: { readonly csrf: string; readonly timeZone: string },
): Html {
  const count = formatCount(items.length, 'item');
  return html`<section class="review" aria-label="${title}: ${count}">
<h2>${title}: ${count}</h2>
<form class="option" method="post" action="/review/resolve">${renderCsrfField(csrf)}
<input type="hidden" name="decision" value="${decision}">
<input type="hidden" name="events" value="${JSON.stringify(items.map(({ event }) => event))}">
<p id="effect-${index}">${effect}</p>
<label for="note-${index}">Note (optional)</label>
<input id="note-${index}" name="note" maxlength="1000" autocomplete="off" enterkeyhint="go">
<button aria-describedby="effect-${index}">Resolve ${count}</button></form>
<ul class="items">${items.map((item) => renderItem(item, timeZone))}</ul>
</section>`;
}

function renderItem({ reference, kind, amount, currency, at }: ReviewItem, timeZone: string): Html {
  return html`<li>
<div class="subject"><a href="/donations/${reference}">${reference}</a></div>
<div class="total"><span>${EVENT_KIND_LABELS[kind].toLowerCase()}</span>${
    amount === null ? '' : html`<strong>${amount} ${currency}</strong>`
  }</div>
<div class="reason"><span class="time">${renderDateTime(at, timeZone)}</span></div>
</li>`;
}
