import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { OutboxStatus } from '../../database/schema.ts';
import { PAYMENT, type ReviewOption } from '../../donations/review-options.ts';
import type { Html } from '../../http/render-document.ts';
import type { DonationDetail, LabeledValue } from '../read-models/donation-detail.ts';
import type { StoryEntry, StoryStep } from '../read-models/donation-story.ts';
import { endSentence } from '../read-models/labels.ts';
import type { DonationStory } from '../read-models/load-donation-story.ts';
import { renderReceiptsSection } from './donation-receipts.ts';
import {
  formatDuration,
  isPermitted,
  renderActionOutcome,
  renderAdminPage,
  renderBadge,
  renderCsrfField,
  renderDateTime,
  renderStatusBadge,
  renderTimeUntil,
  type ViewContext,
} from './layout.ts';

/** Renders forms only if the person may submit them: the CSRF token is undefined otherwise. */
export function renderDonationPage(context: ViewContext, data: DonationStory): Html {
  const { donation, awaiting, outcomes, links, help, timeZone } = data;
  const { reference, organizationName, total, donorName, events, reviewOptions } = donation;
  const subjects = [...new Set(reviewOptions.map(({ event }) => event))];
  const isPending = (id: string): boolean =>
    events.some((event) => event.id === id && event.status === 'pending');
  const hasPendingWork =
    donation.nextRetryAt !== null || events.some((event) => event.status === 'pending');
  const canChange = isPermitted(context, 'donations:change');
  const csrf = canChange ? context.csrf : undefined;
  const renderReview = (subject: string): Html | '' =>
    canChange ? renderDecisionForms(subject, donation, context.csrf) : '';
  return renderAdminPage(
    `${reference} · Donations`,
    context,
    html`<header>
<p class="organization">${organizationName}</p>
<h1>${total}${donorName === '' ? '' : ` from ${donorName}`}</h1>
<p class="lede">${renderStatusBadge(donation.status, awaiting)}
${outcomes.map((outcome) => html`${renderActionOutcome(outcome)} `)}<span class="id">${reference}</span>,
${renderDateTime(donation.createdAt, timeZone)}</p>
${renderOpenedRenewal(data)}
</header>
<main class="stack">
${renderDuplicate(data)}
${subjects.filter((subject) => !isPending(subject)).map(renderReview)}
${hasPendingWork && canChange ? renderRetrySection(reference, context.csrf) : ''}
${subjects.filter(isPending).map(renderReview)}
<div class="columns">
<div class="stack">${renderStorySection(data, csrf)}${renderReceiptsSection(context, data)}${renderHelp(help)}</div>
<section>${renderExternalLinks(links)}<h2>Donation</h2>${renderFields(donation.donationFields)}
<h3>Donor</h3>${renderFields(donation.donorFields)}${renderGiftAidForm(donation, csrf)}${renderDonorSearch(data, context.csrf)}
<h3>Payment</h3>${renderFields(donation.paymentFields.filter(([name]) => !name.endsWith(' ID')))}
</section>
</div>
</main>`,
  );
}

function renderOpenedRenewal({ donation, openedReference }: DonationStory): Html | '' {
  if (openedReference === donation.reference) return '';
  const link = html`<a href="#${openedReference}">Renewal ${openedReference}</a>`;
  return html`<p class="hint">${link} is marked in the history.</p>`;
}

function renderDuplicate({ duplicate, donation }: DonationStory): Html | '' {
  if (!duplicate) return '';
  const { reference, delay } = duplicate;
  const seconds = Math.round(Math.abs(delay) / 1_000);
  const interval = seconds < 120 ? formatCount(seconds, 'second') : formatDuration(Math.abs(delay));
  const donor = donation.donorName || 'The donor';
  return html`<p class="banner"><strong>Possible duplicate.</strong> ${donor} gave the same amount
${interval} ${delay < 0 ? 'earlier' : 'later'}, on the same form:
<a href="/donations/${reference}">${reference}</a></p>`;
}

function renderRetrySection(reference: string, csrf: string): Html {
  return html`<section class="review quiet"><h2>Automatic retries</h2>
<form class="option" method="post" action="/donations/${reference}/retry">${renderCsrfField(csrf)}
<p>The server checks the payment with the payment provider and updates the platform automatically.
Retry now to see the result immediately.</p>
<button>Retry now</button></form></section>`;
}

/** Explanations of a payment and of events that require or allow a decision, by status. */
const EXPLANATIONS: Readonly<Partial<Record<OutboxStatus | 'payment', string>>> = {
  payment: 'The payment status is contradictory or unknown, so someone must check it.',
  pending: 'The platform did not accept this update. The server will retry.',
  needs_review:
    'The platform may already have this update. Check the platform, then choose an option below.',
  manual: 'Enter this update on the platform, then confirm below.',
};

function renderDecisionForms(
  eventId: string,
  { reference, lastError, events, reviewOptions }: DonationDetail,
  csrf: string,
): Html {
  const eventIndex = events.findIndex(({ id }) => id === eventId);
  const event = events[eventIndex];
  const renewal = event && event.reference !== reference ? ` ${event.reference}` : '';
  const subject = `${event?.label ?? 'Payment'}${renewal}`;
  const status = event ? event.status : 'needs_review';
  const error = event ? event.lastError : lastError;
  const isUrgent = status !== 'pending';
  const idPrefix = eventId === PAYMENT ? 'payment' : `event-${eventIndex}`;
  const forms = reviewOptions
    .filter((option) => option.event === eventId)
    .map((option, index) => renderOptionForm(option, reference, `${idPrefix}-${index}`, csrf));
  const purpose = isUrgent ? 'your decision' : 'if you entered this update yourself';
  const explanation = EXPLANATIONS[event ? event.status : 'payment'];
  const amount = event?.amount ? html` <span class="amount">${event.amount}</span>` : '';
  return html`<section class="review${isUrgent ? '' : ' quiet'}" aria-label="${subject}: ${purpose}">
<h2>${subject} ${renderStatusBadge(status)}${amount}</h2>
<p class="reason">${explanation}${error ? ` Reason: ${endSentence(error)}` : ''}</p>
<div class="options">${forms}</div>
</section>`;
}

function renderOptionForm(option: ReviewOption, reference: string, id: string, csrf: string): Html {
  const { decision, event, title, effect, needsPlatformId } = option;
  const platformIdField = needsPlatformId
    ? html`<label for="id-${id}">ID on the platform</label>
<input id="id-${id}" name="platformId" pattern="[!-~]+" required
autocomplete="off" spellcheck="false" enterkeyhint="go" maxlength="255">`
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

function renderGiftAidForm(
  { reference, canCancelGiftAid }: DonationDetail,
  csrf: string | undefined,
): Html | '' {
  if (!canCancelGiftAid || csrf === undefined) return '';
  return html`<form method="post" action="/donations/${reference}/gift-aid/cancel">${renderCsrfField(csrf)}
<label for="gift-aid-from">First day without Gift Aid (default: today)</label>
<input id="gift-aid-from" name="from" type="date">
<button class="link">Cancel the donor’s Gift Aid declarations</button></form>`;
}

function renderDonorSearch({ donorEmail, donation }: DonationStory, csrf: string): Html | '' {
  if (donorEmail === undefined) return '';
  return html`<form method="post" action="/donations/search">${renderCsrfField(csrf)}
<input type="hidden" name="organization" value="${donation.organization}">
<input type="hidden" name="search" value="${donorEmail}">
<button class="link">All donations by this donor</button></form>`;
}

function renderFields(fields: readonly LabeledValue[]): Html {
  if (fields.length === 0) return html`<p class="empty">No data.</p>`;
  const rows = fields.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl>${rows}</dl>`;
}

export function renderDonationNotFoundPage(context: ViewContext): Html {
  return renderAdminPage(
    'Donation not found · Donations',
    context,
    html`<main class="message">
<h1>No donation has this reference</h1>
<p>A reference has ten letters and digits, such as 7K4M9-QXD2P. The payment provider, the platform,
and the receipt show the same reference. <a href="/">Back to the overview</a></p>
</main>`,
  );
}

function renderStorySection(data: DonationStory, csrf: string | undefined): Html {
  return html`<section id="story"><h2>History</h2>
<ol class="story">${data.story.map((entry) => renderEntry(entry, data, csrf))}</ol></section>`;
}

function renderEntry(
  { at, text, renewal, steps, note = '' }: StoryEntry,
  data: DonationStory,
  csrf: string | undefined,
): Html {
  const time = at === undefined ? 'Now' : renderTime(at, data.timeZone);
  const isOpened = renewal !== undefined && renewal === data.openedReference;
  const name = at === undefined ? html` class="now"` : '';
  const id = renewal === undefined ? '' : html` id="${renewal}"`;
  return html`<li${name}${id}${isOpened ? html` aria-current="true"` : ''}><p class="time">${time}</p>
<p>${text}</p>
${note === '' ? '' : html`<blockquote>${note}</blockquote>`}
${steps.length === 0 ? '' : html`<ul>${steps.map((step) => renderStep(step, data, csrf))}</ul>`}</li>`;
}

/** Renders a time with seconds, because charges can be only seconds apart. */
function renderTime(at: number, timeZone: string): Html {
  return renderDateTime(new Date(at).toISOString(), timeZone, { hasSeconds: true });
}

function renderStep(
  { text, at, platformGiftId: id, warning, nextRetryAt, nextCheckAt, resendable }: StoryStep,
  { now, timeZone, getGiftUrl }: DonationStory,
  csrf: string | undefined,
): Html {
  const time = at === undefined ? '' : html` <span class="hint">${renderTime(at, timeZone)}</span>`;
  return html`<li>${warning === undefined ? '' : html`${renderBadge('needs-review', warning)} `}${text}
${
  id === undefined ? '' : html`${renderId(id, getGiftUrl(id))}.`
}${time}${renderNextRun('attempt', nextRetryAt, now)}${renderNextRun('check', nextCheckAt, now)}${renderResendForm(resendable, csrf)}</li>`;
}

function renderResendForm(reference: string | undefined, csrf: string | undefined): Html | '' {
  if (reference === undefined || csrf === undefined) return '';
  return html`<form method="post" action="/donations/${reference}/resend">${renderCsrfField(csrf)}
<button class="link">Send again</button></form>`;
}

function renderNextRun(what: string, at: number | undefined, now: number): Html | '' {
  if (at === undefined) return '';
  return html` <span class="hint">Next ${what} ${renderTimeUntil(at, now)}.</span>`;
}

/** Renders an ID as a link. Without a URL, renders text that one click selects. */
function renderId(id: string, url: string | undefined): Html {
  return url === undefined
    ? html`<span class="id">${id}</span>`
    : html`<a href="${url}" rel="noreferrer">${id}</a>`;
}

function renderExternalLinks(links: DonationStory['links']): Html | '' {
  if (links.length === 0) return '';
  const rows = links.map(
    ({ label, id, url }) => html`<div><dt>${label}</dt><dd>${renderId(id, url)}</dd></div>`,
  );
  return html`<h2>In other systems</h2><dl>${rows}</dl>`;
}

function renderHelp(help: DonationStory['help']): Html {
  const links = help.map(
    ({ label, url }) => html`<li><a href="${url}" rel="noreferrer">${label}</a></li>`,
  );
  return html`<section class="help"><h2>Help</h2><ul>${links}</ul></section>`;
}
