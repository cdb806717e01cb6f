import { html } from 'hono/html';
import { PAYMENT, type ReviewOption } from '../../donations/review-options.ts';
import type {
  DecisionDetail,
  DonationDetail,
  EventDetail,
  LabeledValue,
} from '../donation-detail.ts';
import { EVENT_STATUS_DESCRIPTIONS, formatStatus, PAYMENT_STATUS_DESCRIPTIONS } from '../labels.ts';
import {
  renderCsrfField,
  renderDateTime,
  renderDocument,
  renderRelativeTime,
  renderStatus,
  type Html,
  type RequestContext,
} from './layout.ts';

/** Time of the request, in milliseconds since 1970, and the organization's time zone. */
interface PageTime {
  readonly now: number;
  readonly timeZone: string;
}

export function renderDonationPage(
  context: RequestContext,
  donation: DonationDetail,
  time: PageTime,
): Html {
  const { reference, organizationName, total, donorName, events, reviewOptions } = donation;
  const subjects = [...new Set(reviewOptions.map(({ event }) => event))];
  const isPending = (id: string): boolean =>
    events.some((event) => event.id === id && event.status === 'pending');
  const hasPendingWork =
    donation.nextRetryAt !== null || events.some((event) => event.status === 'pending');
  const renderReview = (subject: string): Html =>
    renderReviewSection(subject, donation, context.csrf);
  return renderDocument(
    `${reference} · Donations`,
    context,
    html`<header>
<p class="organization">${organizationName}</p>
<h1>${reference}</h1>
<p class="lede"><strong>${total}</strong>${donorName === '' ? '' : ` from ${donorName}`},
${renderDateTime(donation.createdAt, time.timeZone)}</p>
</header>
<main class="stack">
${subjects.filter((subject) => !isPending(subject)).map(renderReview)}
${hasPendingWork ? renderRetrySection(reference, context.csrf) : ''}
${subjects.filter(isPending).map(renderReview)}
<div class="columns">
${renderHistorySection(donation, time)}
<section><h2>Donation</h2>${renderFields(donation.donationFields)}
<h3>Donor</h3>${renderFields(donation.donorFields)}
<h3>Payment</h3>${renderFields(donation.paymentFields)}
</section>
</div>
</main>`,
  );
}

function renderRetrySection(reference: string, csrf: string): Html {
  return html`<section class="review quiet"><h2>Automatic retries</h2>
<form class="option" method="post" action="/donations/${reference}/retry">${renderCsrfField(csrf)}
<p>The server checks with the payment provider and updates the platform on its own. Retry now to
see the result at once.</p>
<button>Retry now</button></form></section>`;
}

function renderHistorySection(donation: DonationDetail, time: PageTime): Html {
  const { reference, status, lastError, nextRetryAt, events, decisions } = donation;
  return html`<section><h2>History</h2>
<ol class="history">
<li><div class="subject"><strong>Payment</strong> ${renderStatus(status)}</div>
<p>${PAYMENT_STATUS_DESCRIPTIONS[status]}</p>${renderError(lastError, nextRetryAt, time.now)}</li>
${events.map((event) => renderEvent(event, reference, time))}
</ol>
${decisions.length === 0 ? '' : renderDecisions(decisions, time)}
</section>`;
}

function renderDecisions(decisions: readonly DecisionDetail[], { timeZone }: PageTime): Html {
  const items = decisions.map((decision) => renderDecision(decision, timeZone));
  return html`<h3>Decisions</h3><ol class="history">${items}</ol>`;
}

/** Renders the decisions that a person can make about the payment or an event. */
function renderReviewSection(
  eventId: string,
  { reference, lastError, events, reviewOptions }: DonationDetail,
  csrf: string,
): Html {
  const eventIndex = events.findIndex(({ id }) => id === eventId);
  const event = events[eventIndex];
  const subject = event ? formatEventTitle(event, reference) : 'Payment';
  const status = event ? event.status : 'needs_review';
  const error = event ? event.lastError : lastError;
  const description = event
    ? EVENT_STATUS_DESCRIPTIONS[event.status]
    : PAYMENT_STATUS_DESCRIPTIONS.needs_review;
  const isUrgent = status !== 'pending';
  const idPrefix = eventId === PAYMENT ? 'payment' : `event-${eventIndex}`;
  const forms = reviewOptions
    .filter((option) => option.event === eventId)
    .map((option, index) => renderOptionForm(option, reference, `${idPrefix}-${index}`, csrf));
  const purpose = isUrgent ? 'your decision' : 'if you entered it yourself';
  const explanation = isUrgent
    ? description
    : 'The platform did not accept this. The server will retry.';
  const amount = event?.amount ? html` <span class="amount">${event.amount}</span>` : '';
  return html`<section class="review${isUrgent ? '' : ' quiet'}" aria-label="${subject}: ${purpose}">
<h2>${subject} ${renderStatus(status)}${amount}</h2>
<p class="reason">${explanation}${error ? ` Reason: ${addMissingPeriod(error)}` : ''}</p>
<div class="options">${forms}</div>
</section>`;
}

function renderOptionForm(option: ReviewOption, reference: string, id: string, csrf: string): Html {
  const { decision, event, title, effect, needsPlatformId } = option;
  const platformIdField = needsPlatformId
    ? html`<label for="id-${id}">ID on the platform</label>
<input id="id-${id}" name="platformId" inputmode="numeric" pattern="[1-9][0-9]*" required
autocomplete="off" enterkeyhint="go" maxlength="15">`
    : '';
  return html`<form class="option" method="post" action="/donations/${reference}/resolve">
${renderCsrfField(csrf)}<input type="hidden" name="decision" value="${decision}">
<input type="hidden" name="event" value="${event}">
<h3>${title}</h3>
<p id="effect-${id}">${effect}</p>
${platformIdField}
<label for="note-${id}">Note (optional)</label>
<input id="note-${id}" name="note" maxlength="1000" autocomplete="off" enterkeyhint="go">
<button aria-describedby="effect-${id}">${title}</button></form>`;
}

function renderEvent(
  event: EventDetail,
  donationReference: string,
  { now, timeZone }: PageTime,
): Html {
  const { status, at, amount, platformId, attempts, lastError, nextRetryAt } = event;
  const isDropped = status === 'delivered' && lastError !== null;
  const details = [
    isDropped ? 'The platform does not need this.' : EVENT_STATUS_DESCRIPTIONS[status],
    platformId === null ? '' : `ID there: ${platformId}.`,
    attempts > 0 ? `Tried ${attempts === 1 ? 'once' : `${attempts} times`}.` : '',
  ];
  const subject = formatEventTitle(event, donationReference);
  return html`<li>
<div class="subject"><strong>${subject}</strong> ${renderStatus(status)}
${amount === null ? '' : html`<span class="amount">${amount}</span>`}</div>
<p>${renderDateTime(at, timeZone)}. ${details.filter(Boolean).join(' ')}</p>
${renderError(lastError, nextRetryAt, now)}</li>`;
}

/** Formats an event's label. Includes the reference if the event belongs to a renewal. */
function formatEventTitle({ label, reference }: EventDetail, donationReference: string): string {
  return reference === donationReference ? label : `${label} ${reference}`;
}

function renderError(lastError: string | null, nextRetryAt: string | null, now: number): Html | '' {
  if (lastError === null && nextRetryAt === null) return '';
  const error = lastError === null ? '' : addMissingPeriod(lastError);
  const nextRetry = nextRetryAt === null ? '' : renderNextRetry(Date.parse(nextRetryAt), now);
  return html`<p class="reason">${error}${nextRetry}</p>`;
}

function renderNextRetry(at: number, now: number): Html {
  return html` <span class="time">Next retry ${at <= now ? 'now' : renderRelativeTime(at, now)}.</span>`;
}

function addMissingPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function renderDecision(entry: DecisionDetail, timeZone: string): Html {
  const { at, by, decision, subject, from, to, platformId, note } = entry;
  const id = platformId === null ? '' : `, ID ${platformId}`;
  const change = `changed ${subject} from ${formatStatus(from)} to ${formatStatus(to)}${id}.`;
  return html`<li><div class="subject"><strong>${decision}</strong></div>
<p>${by}, ${renderDateTime(at, timeZone)}: ${change}</p>
${note === '' ? '' : html`<blockquote>${note}</blockquote>`}</li>`;
}

function renderFields(fields: readonly LabeledValue[]): Html {
  if (fields.length === 0) return html`<p class="empty">No data.</p>`;
  const rows = fields.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl>${rows}</dl>`;
}

export function renderDonationNotFoundPage(context: RequestContext): Html {
  return renderDocument(
    'Donation not found · Donations',
    context,
    html`<main class="message">
<h1>No donation has this reference</h1>
<p>A reference has ten letters and digits, such as 7K4M9-QXD2P. The payment provider, the platform,
and the receipt show the same one. <a href="/">Back to the overview</a></p>
</main>`,
  );
}
