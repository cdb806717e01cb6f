import type { Context } from 'hono';
import { html } from 'hono/html';
import { cardFields, type Filled } from '../fields.ts';
import { moneyEvery } from '../money.ts';
import { page, type Html } from './page.ts';
import type { Payment, Subscription } from '../records.ts';

export interface RecurringGift {
  readonly subscription: Subscription;
  readonly first: Payment;
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/**
 * Asks for the address that a link is to be sent to.
 * @param problem what is wrong with what was written.
 */
export function askAddress(c: Context, problem?: string): Promise<Response> {
  return page(
    c,
    'Your recurring gift',
    html`
<h1>Your recurring gift</h1>
<p class="quiet">Write the e-mail address that you gave with. We send a link there, with which you can change the card or cancel the gift.</p>
<form method="post" action="/processor/portal" novalidate>
  <div><label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="email" aria-describedby="email-error" ${problem === undefined ? '' : 'aria-invalid=true'}><p id="email-error" class="error" ${problem === undefined ? 'hidden' : ''}>${problem ?? ''}</p></div>
  <button class="main">Send the link</button>
</form>`,
    { status: problem === undefined ? 200 : 400 },
  );
}

/** The same words whether an address is known or not. */
export function linkSent(c: Context): Promise<Response> {
  return page(
    c,
    'Look into your mails',
    html`<h1>Look into your mails</h1><p>If this address has a recurring gift, we have sent a link to it.</p><p class="quiet">The link works once, for 30 minutes.</p>`,
  );
}

export function spentLink(c: Context): Promise<Response> {
  return page(
    c,
    'This link works no more',
    html`<h1>This link works no more</h1><p class="quiet">A link works once, for 30 minutes.</p><p><a class="button main" href="/processor/portal">Ask for another one</a></p>`,
    { status: 410 },
  );
}

export function giftList(c: Context, gifts: readonly RecurringGift[]): Promise<Response> {
  return page(
    c,
    'Your recurring gifts',
    html`
<h1>Your recurring gifts</h1>
${
  gifts.length === 0
    ? html`<p class="quiet">There is none.</p>`
    : html`<ul class="gifts">${gifts.map(
        (gift) => html`<li>
  ${terms(gift)}
  <div class="side"><a class="button" href="/processor/portal/gifts/${gift.subscription.id}/card" aria-label="Change the card of ${moneyEvery(gift.first)}">Change the card</a><a class="button" href="/processor/portal/gifts/${gift.subscription.id}/cancel" aria-label="Cancel ${moneyEvery(gift.first)}">Cancel</a></div>
</li>`,
      )}</ul>`
}`,
  );
}

/** @param problem what is wrong with the card as a whole. */
export function cardForm(
  c: Context,
  gift: RecurringGift,
  filled: Filled,
  problem?: string,
): Promise<Response> {
  const isWrong = problem !== undefined || Object.keys(filled.problems).length > 0;
  return page(
    c,
    'Change the card',
    html`
<p class="eyebrow">${moneyEvery(gift.first)}</p>
<h1>Change the card</h1>
<form method="post" novalidate>
  ${isWrong ? html`<p class="problem" role="alert">${problem ?? 'Please check the fields that are marked.'}</p>` : ''}
  ${cardFields(filled)}
  <div class="buttons"><button class="main">Change the card</button>${back()}</div>
</form>`,
    { status: isWrong ? 400 : 200 },
  );
}

export function cancelForm(c: Context, gift: RecurringGift): Promise<Response> {
  return page(
    c,
    'Cancel this gift?',
    html`
<h1>Cancel this gift?</h1>
${terms(gift)}
<p class="quiet">Nothing more will be taken. What was given stays given.</p>
<form method="post" class="buttons"><button class="main">Cancel the gift</button>${back()}</form>`,
  );
}

function terms({ subscription: { source, state, nextAt }, first }: RecurringGift): Html {
  return html`<dl class="terms">
    <div class="sum"><dt>${first.description || 'Gift'}</dt><dd>${moneyEvery(first)}</dd></div>
    <div><dt>${source?.method === 'bank' ? 'Bank account' : 'Card'}</dt><dd>•••• ${source?.lastFour}</dd></div>
    <div><dt>Next payment</dt><dd>${nextPayment(state, nextAt)}</dd></div>
  </dl>`;
}

function nextPayment(state: Subscription['state'], at: string | null): string {
  if (state === 'suspended') return 'waits for a dispute';
  return state === 'retrying' ? `failed, again on ${written(at)}` : written(at);
}

function written(moment: string | null): string {
  return moment === null ? '' : day.format(new Date(moment));
}

function back(): Html {
  return html`<a class="button" href="/processor/portal/gifts">Back</a>`;
}
