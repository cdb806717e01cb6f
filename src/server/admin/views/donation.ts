import { html } from 'hono/html';
import { PAYMENT, type ReviewOption } from '../../donations/review-options.ts';
import type { EventReport, Fact, GiftReport, ResolutionReport } from '../donation-detail.ts';
import { EVENT_STATES, PAYMENT_STATES } from '../labels.ts';
import {
  csrfField,
  dayAndTime,
  documentOf,
  moment,
  pill,
  type Html,
  type Visit,
} from './layout.ts';

/** Everything about one gift, with what can be pressed. @param now milliseconds since 1970. */
export function giftDocument(visit: Visit, report: GiftReport, now: number): Html {
  const {
    reference,
    organizationName,
    total,
    donorName,
    givenAt,
    state,
    lastError,
    nextTry,
    events,
    ways,
  } = report;
  const matters = [...new Set(ways.map(({ about }) => about))];
  const waits = (id: string): boolean =>
    events.some((event) => event.id === id && event.state === 'waiting');
  const isWaiting = nextTry !== null || events.some((event) => event.state === 'waiting');
  const shown = (about: string): Html => matter(about, report, visit.csrf);
  return documentOf(
    `${reference} · Donations`,
    visit,
    html`<header>
<p class="organization">${organizationName}</p>
<h1>${reference}</h1>
<p class="lede"><strong>${total}</strong>${donorName === '' ? '' : ` from ${donorName}`}, ${dayAndTime(givenAt)}</p>
</header>
<main class="stack">
${matters.filter((about) => !waits(about)).map(shown)}
${isWaiting ? html`<section class="matter quiet"><h2>It goes on by itself</h2><form class="way" method="post" action="/gifts/${reference}/retry">${csrfField(visit.csrf)}<p>The server asks the processor and tells the platform when it is time. Try now, and you read what comes of it.</p><button>Try now</button></form></section>` : ''}
${matters.filter(waits).map(shown)}
<div class="columns">
<section><h2>What happened</h2>
<ol class="history">
<li><div class="subject"><strong>Payment</strong> ${pill(state)}</div><p>${PAYMENT_STATES[state]}</p>${trouble(lastError, nextTry, now)}</li>
${events.map((event) => eventItem(event, reference, now))}
</ol>
${report.resolutions.length === 0 ? '' : html`<h3>What people decided</h3><ol class="history">${report.resolutions.map(resolutionItem)}</ol>`}
</section>
<section><h2>Gift</h2>${facts(report.gift)}
<h3>Donor</h3>${facts(report.donor)}
<h3>Payment</h3>${facts(report.payment)}
</section>
</div>
</main>`,
  );
}

/** What a person has to decide, and the ways to. */
function matter(
  about: string,
  { reference, lastError, events, ways }: GiftReport,
  csrf: string,
): Html {
  const event = events.find(({ id }) => id === about);
  const own = ways.filter((way) => way.about === about);
  const [what, state, why] = event
    ? ([
        event.reference === reference ? event.what : `${event.what} ${event.reference}`,
        event.state,
        event.lastError,
      ] as const)
    : (['Payment', 'held', lastError] as const);
  const meaning = event ? EVENT_STATES[event.state] : PAYMENT_STATES.held;
  const isUrgent = state !== 'waiting';
  return html`<section class="matter${isUrgent ? '' : ' quiet'}" aria-label="${what}: ${isUrgent ? 'your decision' : 'if you have entered it yourself'}">
<h2>${what} ${pill(state)}${event?.amount ? html` <span class="amount">${event.amount}</span>` : ''}</h2>
<p class="why">${isUrgent ? meaning : 'It was not taken, and is tried again by itself.'}${why === null || why === '' ? '' : html` Why: ${sentence(why)}`}</p>
<div class="ways">${own.map((way, index) => wayForm(way, reference, `${about === PAYMENT ? 'p' : events.findIndex(({ id }) => id === about)}-${index}`, csrf))}</div>
</section>`;
}

function wayForm(
  { as, about, title, does, needsPlatformId }: ReviewOption,
  reference: string,
  id: string,
  csrf: string,
): Html {
  return html`<form class="way" method="post" action="/gifts/${reference}/resolve">${csrfField(csrf)}<input type="hidden" name="as" value="${as}"><input type="hidden" name="about" value="${about}">
<p id="does-${id}">${does}</p>
${needsPlatformId ? html`<label for="id-${id}">Its id at the platform</label><input id="id-${id}" name="platformId" inputmode="numeric" pattern="[1-9][0-9]*" required autocomplete="off" maxlength="15">` : ''}
<label for="note-${id}">Note (optional)</label><input id="note-${id}" name="note" maxlength="1000" autocomplete="off">
<button aria-describedby="does-${id}">${title}</button></form>`;
}

function eventItem(
  { what, reference, state, at, amount, platformId, attempts, lastError, nextTry }: EventReport,
  gift: string,
  now: number,
): Html {
  return html`<li><div class="subject"><strong>${what}${reference === gift ? '' : ` ${reference}`}</strong> ${pill(state)}${amount === null ? '' : html`<span class="amount">${amount}</span>`}</div>
<p>${dayAndTime(at)}. ${state === 'recorded' && lastError !== null ? 'The platform need not know.' : EVENT_STATES[state]}${platformId === null ? '' : ` Its id there: ${platformId}.`}${attempts > 0 ? ` Tried ${attempts === 1 ? 'once' : `${attempts} times`}.` : ''}</p>${trouble(lastError, nextTry, now)}</li>`;
}

function trouble(lastError: string | null, nextTry: string | null, now: number): Html | '' {
  if (lastError === null && nextTry === null) return '';
  return html`<p class="why">${lastError === null ? '' : sentence(lastError)}${nextTry === null ? '' : html` <span class="when">Next try ${Date.parse(nextTry) <= now ? 'now' : moment(Date.parse(nextTry), now)}.</span>`}</p>`;
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function resolutionItem({
  at,
  by,
  decision,
  about,
  from,
  to,
  platformId,
  note,
}: ResolutionReport): Html {
  return html`<li><div class="subject"><strong>${decision}</strong></div><p>${by}, ${dayAndTime(at)}: ${about} was ${from}, is ${to}${platformId === null ? '' : ` under ${platformId}`}.</p>${note === '' ? '' : html`<blockquote>${note}</blockquote>`}</li>`;
}

function facts(all: readonly Fact[]): Html {
  return all.length === 0
    ? html`<p class="empty">Nothing is kept.</p>`
    : html`<dl>${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** What is shown where no gift has a reference. */
export function noGiftDocument(visit: Visit): Html {
  return documentOf(
    'No such gift · Donations',
    visit,
    html`<main class="message">
<h1>No gift has this reference</h1>
<p>It has ten letters and digits, such as 7K4M9-QXD2P, and is the same at the processor, at the platform and on the receipt. <a href="/">To the overview</a></p>
</main>`,
  );
}
