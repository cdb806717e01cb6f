import { html } from 'hono/html';
import type { Stripe } from 'stripe';
import { formatRecurringMoney } from '../money.ts';
import { type Html, renderPage } from './layout.ts';
import { type FormInput, renderCardFields } from './payment-fields.ts';

/** A subscription, as displayed in the portal. */
export interface RecurringGift {
  readonly subscription: Stripe.Subscription;
  readonly method: Stripe.PaymentMethod | undefined;
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Renders the form that requests a sign-in link.
 * @param error error message about the email field.
 */
export function renderEmailForm(baseUrl: string, url: string, error?: string): Promise<Response> {
  return renderPage(
    baseUrl,
    'Your recurring donation',
    html`
<h1>Your recurring donation</h1>
<p class="quiet">Enter the email address that you donated with. We will send you a link to
change your card or cancel your donation.</p>
<form method="post" action="${url}" novalidate>
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

/**
 * Renders the page shown after a sign-in request. The page is the same for unknown emails because
 * it must not reveal which emails belong to donors.
 */
export function renderLinkSent(baseUrl: string): Promise<Response> {
  return renderPage(
    baseUrl,
    'Check your email',
    html`<h1>Check your email</h1><p>If there is a recurring donation with this email address, we have sent you a link.</p>
<p class="quiet">The link works once and expires after 30 minutes.</p>`,
  );
}

export function renderExpiredLink(baseUrl: string): Promise<Response> {
  return renderPage(
    baseUrl,
    'Link expired',
    html`<h1>This link has expired</h1><p class="quiet">A link works once and expires after 30 minutes.</p>`,
    { status: 410 },
  );
}

export function renderGiftList(
  baseUrl: string,
  gifts: readonly RecurringGift[],
): Promise<Response> {
  return renderPage(
    baseUrl,
    'Your recurring donations',
    html`
<h1>Your recurring donations</h1>
${
  gifts.length === 0
    ? html`<p class="quiet">You have no recurring donations.</p>`
    : html`<ul class="gifts">${gifts.map((gift) => {
        const url = `${baseUrl}/p/session/gifts/${gift.subscription.id}`;
        const sum = formatRecurringAmount(gift);
        return html`<li>
  ${renderGiftDetails(gift)}
  <div class="side"><a class="button" href="${url}/card" aria-label="Change card for ${sum}">Change card</a><a
    class="button"
    href="${url}/cancel"
    aria-label="Cancel ${sum}"
  >Cancel</a></div>
</li>`;
      })}</ul>`
}`,
  );
}

/**
 * Renders the form that changes the card.
 * @param error error message about the card as a whole.
 */
export function renderCardForm(
  baseUrl: string,
  gift: RecurringGift,
  input: FormInput,
  error?: string,
): Promise<Response> {
  const hasErrors = error !== undefined || Object.keys(input.errors).length > 0;
  return renderPage(
    baseUrl,
    'Change card',
    html`
<p class="eyebrow">${formatRecurringAmount(gift)}</p>
<h1>Change card</h1>
<form method="post" action="${baseUrl}/p/session/gifts/${gift.subscription.id}/card" novalidate>
  ${hasErrors ? html`<p class="problem" role="alert">${error ?? 'Please check the highlighted fields.'}</p>` : ''}
  ${renderCardFields(input)}
  <div class="buttons"><button class="main">Change card</button>${renderGiftListLink(baseUrl)}</div>
</form>`,
    { status: hasErrors ? 400 : 200 },
  );
}

export function renderCancelForm(baseUrl: string, gift: RecurringGift): Promise<Response> {
  return renderPage(
    baseUrl,
    'Cancel this donation?',
    html`
<h1>Cancel this donation?</h1>
${renderGiftDetails(gift)}
<p class="quiet">You won't be charged again. Past donations aren't refunded.</p>
<form method="post" action="${baseUrl}/p/session/gifts/${gift.subscription.id}/cancel" class="buttons">
<button class="main">Cancel donation</button>${renderGiftListLink(baseUrl)}</form>`,
  );
}

function renderGiftDetails(gift: RecurringGift): Html {
  const { subscription, method } = gift;
  const type = method?.type ?? '';
  const { last4 } =
    (method as unknown as Record<string, { readonly last4?: string }> | undefined)?.[type] ?? {};
  return html`<dl class="terms">
    <div class="sum"><dt>${subscription.description ?? 'Donation'}</dt><dd>${formatRecurringAmount(gift)}</dd></div>
    <div><dt>${type === 'card' ? 'Card' : 'Bank account'}</dt><dd>•••• ${last4 ?? ''}</dd></div>
    <div><dt>Next payment</dt><dd>${formatNextPayment(subscription)}</dd></div>
  </dl>`;
}

function formatRecurringAmount({ subscription: { items } }: RecurringGift): string {
  const { price } = items.data[0]!;
  return formatRecurringMoney(price.unit_amount ?? 0, price.currency, price.recurring);
}

function formatNextPayment({ status, items }: Stripe.Subscription): string {
  if (status === 'past_due') return 'The last payment failed and will be retried';
  return dateFormat.format(new Date(items.data[0]!.current_period_end * 1_000));
}

function renderGiftListLink(baseUrl: string): Html {
  return html`<a class="button" href="${baseUrl}/p/session/gifts">Back</a>`;
}
