import type { Context } from 'hono';
import { html } from 'hono/html';
import { renderCardFields, type FormInput } from '../fields.ts';
import { formatRecurringMoney } from '../money.ts';
import { renderPage, type Html } from './page.ts';
import type { Payment, Subscription } from '../records.ts';

export interface RecurringGift {
  readonly subscription: Subscription;
  readonly first: Payment;
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Renders the form that requests a sign-in link.
 * @param error error message for the email field.
 */
export function renderEmailForm(c: Context, error?: string): Promise<Response> {
  return renderPage(
    c,
    'Your recurring gift',
    html`
<h1>Your recurring gift</h1>
<p class="quiet">Enter the email address that you donated with. We will send you a link to change your card or cancel your gift.</p>
<form method="post" action="/processor/portal" novalidate>
  <div><label for="email">Email</label><input
    id="email"
    name="email"
    type="email"
    autocomplete="email"
    aria-describedby="email-error"
    ${error === undefined ? '' : 'aria-invalid=true'}
  ><p
    id="email-error"
    class="error"
    ${error === undefined ? 'hidden' : ''}
  >${error ?? ''}</p></div>
  <button class="main">Send link</button>
</form>`,
    { status: error === undefined ? 200 : 400 },
  );
}

/** Renders the same page whether or not the email is known. */
export function renderLinkSent(c: Context): Promise<Response> {
  return renderPage(
    c,
    'Check your email',
    html`<h1>Check your email</h1><p>If there is a recurring gift with this email address, we have sent you a link.</p><p class="quiet">The link works once and expires after 30 minutes.</p>`,
  );
}

export function renderExpiredLink(c: Context): Promise<Response> {
  return renderPage(
    c,
    'Link expired',
    html`<h1>This link has expired</h1><p class="quiet">A link works once and expires after 30 minutes.</p><p><a class="button main" href="/processor/portal">Request a new link</a></p>`,
    { status: 410 },
  );
}

export function renderGiftList(c: Context, gifts: readonly RecurringGift[]): Promise<Response> {
  return renderPage(
    c,
    'Your recurring gifts',
    html`
<h1>Your recurring gifts</h1>
${
  gifts.length === 0
    ? html`<p class="quiet">You have no recurring gifts.</p>`
    : html`<ul class="gifts">${gifts.map(
        (gift) => html`<li>
  ${renderGiftDetails(gift)}
  <div class="side"><a
    class="button"
    href="/processor/portal/gifts/${gift.subscription.id}/card"
    aria-label="Change card for ${formatRecurringMoney(gift.first)}"
  >Change card</a><a
    class="button"
    href="/processor/portal/gifts/${gift.subscription.id}/cancel"
    aria-label="Cancel ${formatRecurringMoney(gift.first)}"
  >Cancel</a></div>
</li>`,
      )}</ul>`
}`,
  );
}

/**
 * Renders the form that changes the card.
 * @param error error message for the card as a whole.
 */
export function renderCardForm(
  c: Context,
  gift: RecurringGift,
  input: FormInput,
  error?: string,
): Promise<Response> {
  const hasErrors = error !== undefined || Object.keys(input.errors).length > 0;
  return renderPage(
    c,
    'Change card',
    html`
<p class="eyebrow">${formatRecurringMoney(gift.first)}</p>
<h1>Change card</h1>
<form method="post" novalidate>
  ${hasErrors ? html`<p class="problem" role="alert">${error ?? 'Please check the highlighted fields.'}</p>` : ''}
  ${renderCardFields(input)}
  <div class="buttons"><button class="main">Change card</button>${renderGiftListLink()}</div>
</form>`,
    { status: hasErrors ? 400 : 200 },
  );
}

export function renderCancelForm(c: Context, gift: RecurringGift): Promise<Response> {
  return renderPage(
    c,
    'Cancel this gift?',
    html`
<h1>Cancel this gift?</h1>
${renderGiftDetails(gift)}
<p class="quiet">You will not be charged again. Past gifts are not refunded.</p>
<form method="post" class="buttons"><button class="main">Cancel gift</button>${renderGiftListLink()}</form>`,
  );
}

function renderGiftDetails({
  subscription: { source, state, nextAt },
  first,
}: RecurringGift): Html {
  return html`<dl class="terms">
    <div class="sum"><dt>${first.description || 'Gift'}</dt><dd>${formatRecurringMoney(first)}</dd></div>
    <div><dt>${source?.method === 'bank' ? 'Bank account' : 'Card'}</dt><dd>•••• ${source?.lastFour}</dd></div>
    <div><dt>Next payment</dt><dd>${formatNextPayment(state, nextAt)}</dd></div>
  </dl>`;
}

function formatNextPayment(state: Subscription['state'], at: string | null): string {
  if (state === 'suspended') return 'on hold during a dispute';
  return state === 'retrying' ? `failed, next attempt on ${formatDate(at)}` : formatDate(at);
}

function formatDate(time: string | null): string {
  return time === null ? '' : dateFormat.format(new Date(time));
}

function renderGiftListLink(): Html {
  return html`<a class="button" href="/processor/portal/gifts">Back</a>`;
}
