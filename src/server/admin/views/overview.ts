import { html } from 'hono/html';
import type { Line, Lines, Overview } from '../donation-list.ts';
import type { OrganizationReport } from '../organizations.ts';
import {
  csrfField,
  dayAndTime,
  documentOf,
  moment,
  pill,
  span,
  type Html,
  type Visit,
} from './layout.ts';

/** What the overview is made from. Times are milliseconds since 1970. */
export interface OverviewPage {
  readonly overview: Overview;
  readonly organizations: readonly OrganizationReport[];
  /** Organisations whose platform is not called before a time. */
  readonly silences: readonly { readonly organization: string; readonly until: number }[];
  /** Organisations whose own servers did not take messages, which were given up. */
  readonly unsent: readonly { readonly organization: string; readonly count: number }[];
  readonly now: number;
}

/** What needs a person, what waits, what failed, and which organisations take gifts. */
export function overviewDocument(
  visit: Visit,
  {
    overview: { person, telling, paying, failed, oldestUntold },
    organizations,
    silences,
    unsent,
    now,
  }: OverviewPage,
): Html {
  const paused = organizations.filter((one) => one.paused);
  const several = organizations.length > 1;
  const needs = person.count + unsent.length;
  const title = titleOf(needs);
  const rows = (lines: Lines, empty: string): Html => list(lines, empty, several, now);
  return documentOf(
    `${title} · Donations`,
    visit,
    html`<header>
<p class="organization">${several ? `${organizations.length} organisations` : (organizations[0]?.name ?? '')}</p>
<h1>${title}</h1>
<p class="lede">${telling.count === 0 ? `The platform knows of everything${person.count === 0 ? '' : ' else'}.` : `${telling.count === 1 ? 'One more is' : `${telling.count} more are`} told to the platform without you; the oldest has waited ${span(now - (oldestUntold ?? now))}.`}</p>
</header>
<main class="stack">
${paused.map(({ name, paused: pause }) => html`<p class="banner"><strong>${name} takes no gifts.</strong> ${pause!.by} paused it on ${dayAndTime(pause!.at)}${pause!.note === '' ? '' : `: ${pause!.note}`}. <a href="#organizations">Resume below</a></p>`)}
${silences.map(({ organization, until }) => html`<p class="banner">The platform of <strong>${organization}</strong> is not called before ${dayAndTime(new Date(until).toISOString())}: it asked for silence, or does not answer. Gifts are taken all the same.</p>`)}
<ul class="figures">
${figure('#person', needs, 'need a person', needs > 0)}
${figure('#telling', telling.count, 'wait for the platform')}
${figure('#paying', paying.count, 'are being paid')}
${figure('#failed', failed.count, 'failed in 7 days')}
</ul>
<section id="person"><h2>Needs a person</h2>
${unsent.map(({ organization, count }) => html`<p class="banner">The server of <strong>${organization}</strong> did not take ${count === 1 ? 'one message' : `${count} messages`}, and no more tries are made. Which, by address: <code>donation-form webhooks unsent</code>. When it does again: <code>donation-form webhooks resend</code></p>`)}
${rows(person, 'Nothing is held, and nothing is to be entered by hand.')}</section>
<section id="telling"><h2>Waits for the platform</h2>
${rows(telling, 'The platform was told of everything.')}</section>
<section id="paying"><h2>Being paid</h2>
${rows(paying, 'No payment is under way.')}</section>
<section id="failed"><h2>Payments that failed in the last 7 days</h2>
${rows(failed, 'None.')}</section>
<section id="organizations"><h2>Organisations</h2>
<ul class="organizations">${organizations.map((one) => organization(one, visit.csrf))}</ul></section>
</main>`,
  );
}

/** @param needs how many things wait for a person. */
function titleOf(needs: number): string {
  if (needs === 0) return 'Nothing needs you';
  return needs === 1 ? 'One thing needs you' : `${needs} things need you`;
}

function figure(to: string, count: number, what: string, isUrgent = false): Html {
  return html`<li><a href="${to}"${isUrgent ? html` class="urgent"` : ''}><strong>${count}</strong> ${what}</a></li>`;
}

function list(
  { lines, count }: Lines,
  empty: string,
  withOrganization: boolean,
  now: number,
): Html {
  if (count === 0) return html`<p class="empty">${empty}</p>`;
  return html`<ul class="lines">${lines.map((one) => line(one, withOrganization, now))}</ul>
${count > lines.length ? html`<p class="empty">These are ${lines.length} of ${count}. <code>donation-form gifts list</code> names more.</p>` : ''}`;
}

function line(
  { reference, organization, what, donor, sum, state, since, why, nextTry }: Line,
  withOrganization: boolean,
  now: number,
): Html {
  return html`<li>
<div class="subject"><a href="/gifts/${reference}">${reference}</a> ${pill(state)}<span class="who">${donor === '' ? 'No name' : donor}${withOrganization ? ` · ${organization}` : ''}</span></div>
<div class="sum"><span>${what}</span>${sum === null ? '' : html`<strong>${sum}</strong>`}</div>
<div class="why">${why === '' ? '' : html`<span>${why}</span>`}<span class="when">${moment(since, now)}${nextTry === null ? '' : html`, next try ${nextTry <= now ? 'now' : moment(nextTry, now)}`}</span></div>
</li>`;
}

function organization({ id, name, paused }: OrganizationReport, csrf: string): Html {
  const to = paused ? 'resume' : 'pause';
  return html`<li>
<div><strong>${name}</strong> <span class="pill ${paused ? 'person' : 'done'}">${paused ? 'paused' : 'takes gifts'}</span>
<p class="hint">${paused ? 'Resume: its forms are shown again, and gifts are taken.' : 'Pause: its forms are not shown and no new gift is taken. Gifts that were given before are confirmed, recorded and heard of as ever.'}</p></div>
<form method="post" action="/organizations/${id}/${to}">${csrfField(csrf)}<label>Note <input name="note" maxlength="1000" autocomplete="off"></label><button${paused ? html` class="primary"` : ''}>${paused ? 'Resume' : 'Pause'} ${name}</button></form>
</li>`;
}
