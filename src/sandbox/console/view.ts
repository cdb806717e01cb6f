import { html } from 'hono/html';
import {
  ACTIVITY_ORIGINS,
  EVENT_TYPES,
  GIFT_STATUSES,
  nameOf,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
} from '../data/enumerations.ts';
import { FAULTS, PLACES, type Fault, type FaultKind } from '../lib/faults.ts';
import { day, moment, time } from './format-time.ts';
import { mailsSection, paymentsSection } from './payments.ts';
import type { PageOptions } from './options.ts';
import type { Html } from '../processor/pages/page.ts';
import type { Campaign, Gift, Webhook } from '../data/records.ts';
import { ORGANIZATION } from '../data/seed.ts';
import type { Delivered } from '../webhooks/subscriptions.ts';

const LATEST_GIFTS = 10;
const LATEST_ACTIVITIES = 5;
const number = new Intl.NumberFormat('en-US');
const whole = (dollars: number): string => `$${number.format(Math.round(dollars))}`;

/** The whole page. @param problem what was wrong with a form that was sent. */
export function renderPage(options: PageOptions, problem?: string): Html {
  const gifts = options.store.gifts();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${ORGANIZATION} · sandbox</title>
<link rel="stylesheet" href="/sandbox.css">
</head>
<body>
<header>
  <div>
    <p class="eyebrow">Sandbox</p>
    <h1>${ORGANIZATION}</h1>
  </div>
  <p class="lede">An invented organisation at two fundraising interfaces, with a card processor. No money moves, and nothing here reaches anybody.</p>
  <a class="button" href="/">Look again</a>
</header>
${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
<main>
  <div class="figures">${hour(options)}${windows(options)}${clock(options)}</div>
  <div class="columns">
    <div>${latestGifts(options, gifts)}${paymentsSection(options.till)}${activities(options)}</div>
    <div>${faults(options)}${webhooks(options)}${mailsSection(options.till)}</div>
  </div>
  ${campaigns(options, gifts)}
</main>
<footer><p>The platform's calls need <code>Authorization: Bearer</code> with the platform key that the sandbox printed when it started, such as <code>GET /api/campaign/list?skip=0&amp;take=20</code>. Calls that the specifications do not show are marked <code>X-Sandbox-Own</code> in their answers.</p></footer>
</body>
</html>`;
}

function hour({ limit }: PageOptions): Html {
  const { limit: most, remaining, resetsAt } = limit.state;
  return html`<section class="figure" aria-labelledby="hour">
  <h2 id="hour">Calls left this hour</h2>
  <p class="value">${number.format(remaining)} <small>of ${number.format(most)}</small></p>
  <progress max="${most}" value="${remaining}" aria-labelledby="hour"></progress>
  <p class="hint">Bearer key · anew at ${time.format(new Date(resetsAt * 1_000))} UTC</p>
</section>`;
}

function windows({ windows: { states } }: PageOptions): Html {
  return html`<section class="figure" aria-labelledby="windows">
  <h2 id="windows">Calls left, v1</h2>
  <dl class="windows">${states.map(({ period, limit, remaining }) => html`<div><dt>${period}</dt><dd>${number.format(remaining)} <small>of ${number.format(limit)}</small></dd></div>`)}</dl>
  <p class="hint">Basic key · all three count together</p>
</section>`;
}

function clock({ clock: { now, moved } }: PageOptions): Html {
  const steps = [
    [3_600, '+1 hour'],
    [86_400, '+1 day'],
    [31 * 86_400, '+31 days'],
  ] as const;
  return html`<section class="figure" id="clock" aria-labelledby="clock-head">
  <h2 id="clock-head">Clock</h2>
  <p class="value">${time.format(now())} <small>${day.format(now())}, UTC</small></p>
  <form class="row" method="post" action="/page/clock">${steps.map(([seconds, words]) => html`<button name="advanceSeconds" value="${seconds}">${words}</button>`)}</form>
  ${moved === 0 ? html`<p class="hint">Right, as on this machine</p>` : html`<form class="row" method="post" action="/page/clock"><p class="hint">Moved by ${span(moved)}</p><button class="plain">Set right</button></form>`}
</section>`;
}

/** Milliseconds in the words of a person. */
function span(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  return Math.abs(hours) < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function latestGifts({ store }: PageOptions, gifts: readonly Gift[]): Html {
  const row = (gift: Gift): Html => {
    const { firstName, lastName, organization } = store.donor(gift.donorId) ?? {};
    const name = [firstName, lastName].filter(Boolean).join(' ');
    const parts = gift.allocations
      .map((part) =>
        gift.allocations.length > 1
          ? `${part.name} ${money(part.amount, gift.currency)}`
          : part.name,
      )
      .join(', ');
    const more = [
      gift.tribute,
      gift.agreements?.length && `Agreed to ${gift.agreements.join(', ')}`,
    ]
      .filter(Boolean)
      .join(' · ');
    return html`<li>
    <div class="who"><strong>${[name, organization].filter(Boolean).join(' · ') || 'Somebody'}</strong><span class="quiet">${parts || gift.reference}</span>${more && html`<span class="quiet">${more}</span>`}</div>
    <div class="sum"><strong>${money(gift.total, gift.currency)}</strong><span class="quiet">${gift.frequency}</span></div>
    <div class="when"><span class="pill ${gift.status === GIFT_STATUSES.Approved ? 'good' : 'other'}">${nameOf(GIFT_STATUSES, gift.status)}</span>${gift.isTest ? html` <span class="pill">Test</span>` : ''}${gift.isAnonymous ? html` <span class="pill">Anonymous</span>` : ''}<span class="quiet">${moment(new Date(gift.created))}</span></div>
  </li>`;
  };
  return html`<section aria-labelledby="gifts">
  <div class="head"><h2 id="gifts">Latest gifts</h2><p class="hint">${number.format(gifts.length)} in all</p></div>
  ${gifts.length === 0 ? html`<p class="empty">No gift yet. One that is recorded by a donation endpoint shows here.</p>` : html`<ul class="gifts">${store.latestGifts(LATEST_GIFTS).map(row)}</ul>`}
</section>`;
}

function money(amount: string, currency: string): string {
  return /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount))
    : `${amount} ${currency}`;
}

function activities({ store }: PageOptions): Html {
  const latest = store.activities().slice(0, LATEST_ACTIVITIES);
  return html`<section aria-labelledby="activities">
  <div class="head"><h2 id="activities">Activities</h2></div>
  ${
    latest.length === 0
      ? html`<p class="empty">Nothing has happened yet.</p>`
      : html`<ul class="lines">${latest.map(
          ({ origin, displayText, date }) => html`<li>
    <p>${displayText}</p><p class="quiet">${nameOf(ACTIVITY_ORIGINS, origin)} · ${moment(new Date(date))}</p></li>`,
        )}</ul>`
  }
</section>`;
}

function faults({ faults: { list } }: PageOptions): Html {
  const row = ([kind, words]: [string, string]): Html => {
    const fault = list.find((one) => one.kind === kind);
    return html`<li><form class="switch-row" method="post" action="/page/faults">
    <div><label for="switch-${kind}">${words}</label><p class="quiet">${fault ? described(fault) : kind}</p></div>
    <button id="switch-${kind}" class="switch" role="switch" aria-checked="${fault ? 'true' : 'false'}" name="${fault ? 'off' : 'kind'}" value="${kind}"><span class="unseen">${fault ? 'Switch off' : 'Switch on'}</span></button>
  </form></li>`;
  };
  return html`<section id="faults" aria-labelledby="faults-head">
  <div class="head"><h2 id="faults-head">What goes wrong</h2><p class="hint">${list.length === 0 ? 'Nothing now' : `${list.length} on`}</p></div>
  <ul class="lines">${Object.entries(FAULTS).map(row)}</ul>
  <details>
    <summary>A few times, or in one place</summary>
    <form class="fields" method="post" action="/page/faults">
      <label>What <select name="kind">${(Object.keys(FAULTS) as FaultKind[]).map((kind) => html`<option>${kind}</option>`)}</select></label>
      <label>Where <select name="on"><option value="">everywhere</option>${PLACES.map((place) => html`<option>${place}</option>`)}</select></label>
      <label>How often <input name="times" inputmode="numeric" placeholder="until switched off"></label>
      <label>Late by, ms <input name="ms" inputmode="numeric" placeholder="2000"></label>
      <label>Status of a 5xx <input name="status" inputmode="numeric" placeholder="503"></label>
      <button>Switch on</button>
    </form>
  </details>
</section>`;
}

function described({ kind, times, on, ms, status }: Fault): string {
  return [
    kind,
    on && `at ${on}`,
    ms !== undefined && `${ms} ms`,
    status,
    times !== null && `the next ${times}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function webhooks({ store, webhooks: { deliveries } }: PageOptions): Html {
  const row = ({ id, url, format, status, eventTypes }: Webhook): Html => {
    const isActive = status === WEBHOOK_STATUSES.Active;
    const [last] = deliveries.filter(({ webhookId }) => webhookId === id);
    return html`<li>
    <p class="address">${url}</p>
    <p class="quiet">${nameOf(WEBHOOK_FORMATS, format)} · ${eventTypes.map((type) => nameOf(EVENT_TYPES, type)).join(', ')}${last ? ` · ${heard(last)}` : ''}</p>
    <form class="row" method="post" action="/page/webhooks"><input type="hidden" name="id" value="${id}"><span class="pill ${isActive ? 'good' : ''}">${nameOf(WEBHOOK_STATUSES, status)}</span>
      <button class="plain" name="status" value="${isActive ? WEBHOOK_STATUSES.Paused : WEBHOOK_STATUSES.Active}">${isActive ? 'Pause' : 'Go on'}</button><button class="plain">Remove</button></form>
  </li>`;
  };
  const registered = store.webhooks();
  return html`<section id="webhooks" aria-labelledby="webhooks-head">
  <div class="head"><h2 id="webhooks-head">Webhooks</h2></div>
  ${registered.length === 0 ? html`<p class="empty">None is registered.</p>` : html`<ul class="lines">${registered.map(row)}</ul>`}
  <form class="fields" method="post" action="/page/webhooks">
    <label class="wide">Address <input name="url" type="url" required placeholder="http://127.0.0.1:4101/webhooks/…"></label>
    <label>Format <select name="format">${Object.entries(WEBHOOK_FORMATS).map(([name, value]) => html`<option value="${value}">${name}</option>`)}</select></label>
    <button>Register</button>
  </form>
</section>`;
}

function heard({ result, tries, date }: Delivered): string {
  return `${result} after ${tries === 1 ? '1 try' : `${tries} tries`}, ${time.format(new Date(date))}`;
}

/** Where a campaign stands on a day. */
function phaseOn(today: string, { startDate, endDate }: Campaign): string {
  if (endDate < today) return 'ended';
  return startDate > today ? 'to come' : 'running';
}

function campaigns({ store, clock }: PageOptions, gifts: readonly Gift[]): Html {
  const today = clock.now().toISOString().slice(0, 10);
  const card = (campaign: Campaign): Html => {
    const { id, name, description, startDate, endDate, givingGoal } = campaign;
    const given = gifts
      .filter(
        ({ campaignId, status, isTest, isDeleted }) =>
          campaignId === id && status === GIFT_STATUSES.Approved && !isTest && !isDeleted,
      )
      .reduce((sum, { total }) => sum + Number(total), 0);
    return html`<li>
    <p class="quiet">${id} · ${phaseOn(today, campaign)}</p>
    <h3>${name}</h3>
    <p>${description}</p>
    <progress max="${givingGoal}" value="${given}" aria-label="Given of the goal"></progress>
    <p class="quiet"><strong>${whole(given)}</strong> of ${whole(givingGoal)} · ${day.format(new Date(startDate))} to ${day.format(new Date(endDate))}</p>
  </li>`;
  };
  return html`<section class="bare" aria-labelledby="campaigns">
  <div class="head"><h2 id="campaigns">Campaigns</h2></div>
  <ul class="campaigns">${store.campaigns().map(card)}</ul>
</section>`;
}
