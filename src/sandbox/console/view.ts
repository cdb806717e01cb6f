import { html } from 'hono/html';
import { getCampaignPhase } from '../data/campaign-phase.ts';
import {
  ACTIVITY_ORIGINS,
  EVENT_TYPES,
  getEnumName,
  GIFT_STATUSES,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
} from '../data/enumerations.ts';
import type { Campaign, Gift, Webhook } from '../data/records.ts';
import { ORGANIZATION } from '../data/seed.ts';
import type { DeliveryResult } from '../webhooks/subscriptions.ts';
import { renderEmailRefresh, renderEmails } from './emails.ts';
import { renderFaults } from './faults.ts';
import { dateFormat, formatDateTime, timeFormat } from './format-time.ts';
import type { ConsoleOptions } from './options.ts';
import { renderPayments } from './payments.ts';

type Html = ReturnType<typeof html>;

const MAX_GIFTS = 5;
const MAX_ACTIVITIES = 5;
const numberFormat = new Intl.NumberFormat('en-US');
const formatWholeDollars = (dollars: number): string =>
  `$${numberFormat.format(Math.round(dollars))}`;

/**
 * Renders the console page.
 * @param problem error message for a form that the user submitted.
 * @param awaitedEmail text of an email for which the page waits.
 */
export function renderConsole(
  options: ConsoleOptions,
  {
    problem,
    awaitedEmail,
  }: { readonly problem?: string | undefined; readonly awaitedEmail?: string | undefined },
): Html {
  const gifts = options.store.listGifts();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${renderEmailRefresh(options.mailbox, awaitedEmail)}
<title>${ORGANIZATION} · sandbox</title>
<link rel="stylesheet" href="/sandbox.css">
</head>
<body>
<header>
  <div>
    <p class="eyebrow">Sandbox</p>
    <h1>${ORGANIZATION}</h1>
  </div>
  <p class="lede">A fictional organization on two emulated fundraising platforms, with emulated
payments through Stripe and PayPal. No money moves, and no email is sent.</p>
  <a class="button" href="/">Refresh</a>
</header>
${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
<main>
  <div class="figures">${renderHourlyRateLimit(options)}${renderV1RateLimits(options)}${renderClock(options)}</div>
  <div class="columns">${[
    renderPayments(options.stripe),
    renderFaults(options.faults),
    renderLatestGifts(options, gifts),
    renderActivities(options),
    renderEmails(options.mailbox),
    renderWebhooks(options),
  ]}</div>
  ${renderCampaigns(options, gifts)}
</main>
<footer><p>Calls to the platform, such as <code>GET /api/campaign/list?skip=0&amp;take=20</code>, need the
<code>Authorization: Bearer</code> header with the platform key that the sandbox printed at startup.
Responses to calls outside the specifications have an <code>X-Sandbox-Extension</code> header.</p></footer>
</body>
</html>`;
}

function renderHourlyRateLimit({ hourlyRateLimit }: ConsoleOptions): Html {
  const { limit: max, remaining, resetsAt } = hourlyRateLimit.state;
  return html`<section class="figure" aria-labelledby="hour">
  <h2 id="hour">API calls left this hour</h2>
  <p class="value">${numberFormat.format(remaining)} <small>of ${numberFormat.format(max)}</small></p>
  <progress max="${max}" value="${remaining}" aria-labelledby="hour"></progress>
  <p class="hint">Bearer key · resets at ${timeFormat.format(new Date(resetsAt * 1_000))} UTC</p>
</section>`;
}

function renderV1RateLimits({ v1RateLimits: { states } }: ConsoleOptions): Html {
  return html`<section class="figure" aria-labelledby="windows">
  <h2 id="windows">v1 API calls left</h2>
  <dl class="windows">${states.map(
    ({ period, limit, remaining }) =>
      html`<div><dt>${period}</dt><dd>${numberFormat.format(remaining)} <small>of ${numberFormat.format(limit)}</small></dd></div>`,
  )}</dl>
  <p class="hint">Basic key · all three limits apply</p>
</section>`;
}

function renderClock({ clock: { now, offset } }: ConsoleOptions): Html {
  const steps = [
    [3_600, '+1 hour'],
    [86_400, '+1 day'],
    [31 * 86_400, '+31 days'],
  ] as const;
  return html`<section class="figure" id="clock" aria-labelledby="clock-head">
  <h2 id="clock-head">Clock</h2>
  <p class="value">${timeFormat.format(now())} <small>${dateFormat.format(now())}, UTC</small></p>
  <form class="row" method="post" action="/page/clock">${steps.map(
    ([seconds, label]) => html`<button name="advanceSeconds" value="${seconds}">${label}</button>`,
  )}</form>
  ${
    offset === 0
      ? html`<p class="hint">Same as the system clock</p>`
      : html`<form
        class="row"
        method="post"
        action="/page/clock"
      ><p class="hint">Offset: ${formatDuration(offset)}</p><button class="plain">Reset</button></form>`
  }
</section>`;
}

/** Formats a duration in milliseconds as hours or days. */
function formatDuration(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  return Math.abs(hours) < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function renderLatestGifts({ store }: ConsoleOptions, gifts: readonly Gift[]): Html {
  const renderGift = (gift: Gift): Html => {
    const { firstName, lastName, organization } = store.findDonorById(gift.donorId) ?? {};
    const name = [firstName, lastName].filter(Boolean).join(' ');
    const allocations = gift.allocations
      .map((allocation) =>
        gift.allocations.length > 1
          ? `${allocation.name} ${formatAmount(allocation.amount, gift.currency)}`
          : allocation.name,
      )
      .join(', ');
    const details = [
      gift.segment && `Segment ${gift.segment}`,
      gift.tribute,
      gift.agreements?.length && `Consented to ${gift.agreements.join(', ')}`,
    ]
      .filter(Boolean)
      .join(' · ');
    return html`<li>
    <div class="who"><strong>${
      [name, organization].filter(Boolean).join(' · ') || 'Unknown donor'
    }</strong><span class="quiet">${allocations || gift.reference}</span>${
      details && html`<span class="quiet">${details}</span>`
    }</div>
    <div class="sum"><strong>${formatAmount(
      gift.total,
      gift.currency,
    )}</strong><span class="quiet">${gift.frequency}</span></div>
    <div class="when"><span class="pill ${gift.status === GIFT_STATUSES.Approved ? 'good' : 'other'}">${getEnumName(
      GIFT_STATUSES,
      gift.status,
    )}</span>${gift.isTest ? html` <span class="pill">Test</span>` : ''}${
      gift.isAnonymous ? html` <span class="pill">Anonymous</span>` : ''
    }<span class="quiet">${formatDateTime(new Date(gift.created))}</span></div>
  </li>`;
  };
  return html`<section aria-labelledby="gifts">
  <div class="head"><h2 id="gifts">Gifts on the platform</h2><p class="hint">${numberFormat.format(
    gifts.length,
  )} total</p>
    <p class="purpose">Gifts that the donation server has recorded</p></div>
  ${
    gifts.length === 0
      ? html`<p class="empty">No gifts yet. Gifts that a donation server records appear here.</p>`
      : html`<ul class="gifts">${store.listLatestGifts(MAX_GIFTS).map(renderGift)}</ul>`
  }
</section>`;
}

function formatAmount(amount: string, currency: string): string {
  return /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount))
    : `${amount} ${currency}`;
}

function renderActivities({ store }: ConsoleOptions): Html {
  const latest = store.listActivities().slice(0, MAX_ACTIVITIES);
  return html`<section aria-labelledby="activities">
  <div class="head"><h2 id="activities">Activity feed on the platform</h2>
    <p class="purpose">One line for each gift and each contact, as the charity’s staff see it</p></div>
  ${
    latest.length === 0
      ? html`<p class="empty">No activities yet.</p>`
      : html`<details><summary>Latest ${latest.length} activities</summary><ul class="lines">${latest.map(
          ({ origin, displayText, date }) => html`<li>
    <p>${displayText}</p><p class="quiet">${getEnumName(
      ACTIVITY_ORIGINS,
      origin,
    )} · ${formatDateTime(new Date(date))}</p></li>`,
        )}</ul></details>`
  }
</section>`;
}

function renderWebhooks({ store, webhooks: { deliveries } }: ConsoleOptions): Html {
  const renderWebhook = ({ id, url, format, status, eventTypes }: Webhook): Html => {
    const isActive = status === WEBHOOK_STATUSES.Active;
    const [lastDelivery] = deliveries.filter(({ webhookId }) => webhookId === id);
    return html`<li>
    <p class="url">${url}</p>
    <p class="quiet">${getEnumName(WEBHOOK_FORMATS, format)} · ${eventTypes
      .map((type) => getEnumName(EVENT_TYPES, type))
      .join(', ')}${lastDelivery ? ` · ${formatDelivery(lastDelivery)}` : ''}</p>
    <form
      class="row"
      method="post"
      action="/page/webhooks"
    ><input type="hidden" name="id" value="${id}"><span class="pill ${isActive ? 'good' : ''}">${getEnumName(
      WEBHOOK_STATUSES,
      status,
    )}</span>
      <button
        class="plain"
        name="status"
        value="${isActive ? WEBHOOK_STATUSES.Paused : WEBHOOK_STATUSES.Active}"
      >${isActive ? 'Pause' : 'Resume'}</button><button class="plain">Remove</button></form>
  </li>`;
  };
  const registered = store.listWebhooks();
  return html`<section id="webhooks" aria-labelledby="webhooks-head">
  <div class="head"><h2 id="webhooks-head">Webhooks</h2>
    <p class="purpose">URLs that the platform calls when a gift changes</p></div>
  ${
    registered.length === 0
      ? html`<p class="empty">No webhooks registered.</p>`
      : html`<ul class="lines">${registered.map(renderWebhook)}</ul>`
  }
  <details><summary>Register a webhook</summary><form class="fields" method="post" action="/page/webhooks">
    <label class="wide">URL <input
      name="url"
      type="url"
      required
      placeholder="http://127.0.0.1:4101/webhooks/…"
    ></label>
    <label>Format <select name="format">${Object.entries(WEBHOOK_FORMATS).map(
      ([name, value]) => html`<option value="${value}">${name}</option>`,
    )}</select></label>
    <button>Register</button>
  </form></details>
</section>`;
}

function formatDelivery({ result, attempts, date }: DeliveryResult): string {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return `${result} after ${count}, ${timeFormat.format(new Date(date))}`;
}

function renderCampaigns({ store, clock }: ConsoleOptions, gifts: readonly Gift[]): Html {
  const renderCampaign = (campaign: Campaign): Html => {
    const { id, name, description, startDate, endDate, givingGoal } = campaign;
    const raised = gifts
      .filter(
        ({ campaignId, status, isTest, isDeleted }) =>
          campaignId === id && status === GIFT_STATUSES.Approved && !isTest && !isDeleted,
      )
      .reduce((sum, { total }) => sum + Number(total), 0);
    return html`<li>
    <p class="quiet">${id} · ${getCampaignPhase(campaign, clock.now())}</p>
    <h3>${name}</h3>
    <p>${description}</p>
    <progress max="${givingGoal}" value="${raised}" aria-label="Progress toward the goal"></progress>
    <p class="quiet"><strong>${formatWholeDollars(raised)}</strong> of ${formatWholeDollars(givingGoal)} · ${dateFormat.format(
      new Date(startDate),
    )} to ${dateFormat.format(new Date(endDate))}</p>
  </li>`;
  };
  return html`<section class="bare" aria-labelledby="campaigns">
  <div class="head"><h2 id="campaigns">Campaigns</h2></div>
  <ul class="campaigns" tabindex="0" aria-labelledby="campaigns">${store.listCampaigns().map(renderCampaign)}</ul>
</section>`;
}
