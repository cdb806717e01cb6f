import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import type { DonationLinks, ExternalLink } from '../read-models/donation-links.ts';
import type { StoryEntry } from '../read-models/donation-story.ts';
import type { StoryStep } from '../read-models/event-story.ts';
import type { DonationStory } from '../read-models/load-donation-story.ts';
import { renderBadge, renderDateTime, renderTimeUntil } from './layout.ts';

interface StoryData extends Pick<DonationStory, 'story' | 'getGiftUrl'> {
  /** Time of the request, in milliseconds since 1970. */
  readonly now: number;
  /** The organization's time zone. */
  readonly timeZone: string;
  /** Reference of the donation or renewal in the page's URL. */
  readonly openedReference: string;
}

/** Renders a donation's history, oldest entry first. */
export function renderStorySection(data: StoryData): Html {
  return html`<section id="story"><h2>History</h2>
<ol class="story">${data.story.map((entry) => renderEntry(entry, data))}</ol></section>`;
}

function renderEntry({ at, text, renewal, steps, note = '' }: StoryEntry, data: StoryData): Html {
  const time = at === undefined ? 'Now' : renderTime(at, data.timeZone);
  const isOpened = renewal !== undefined && renewal === data.openedReference;
  const name = at === undefined ? html` class="now"` : '';
  const id = renewal === undefined ? '' : html` id="${renewal}"`;
  return html`<li${name}${id}${isOpened ? html` aria-current="true"` : ''}><p class="time">${time}</p>
<p>${text}</p>
${note === '' ? '' : html`<blockquote>${note}</blockquote>`}
${steps.length === 0 ? '' : html`<ul>${steps.map((step) => renderStep(step, data))}</ul>`}</li>`;
}

/** Renders a time with seconds, because charges can be only seconds apart. */
function renderTime(at: number, timeZone: string): Html {
  return renderDateTime(new Date(at).toISOString(), timeZone, { hasSeconds: true });
}

function renderStep(
  { text, at, platformGiftId: id, warning, nextRetryAt, nextCheckAt }: StoryStep,
  { now, timeZone, getGiftUrl }: StoryData,
): Html {
  const time = at === undefined ? '' : html` <span class="hint">${renderTime(at, timeZone)}</span>`;
  return html`<li>${warning === undefined ? '' : html`${renderBadge('needs-review', warning)} `}${text}
${
  id === undefined ? '' : html`${renderId(id, getGiftUrl(id))}.`
}${time}${renderNextRun('attempt', nextRetryAt, now)}${renderNextRun('check', nextCheckAt, now)}</li>`;
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

/** Renders links to the payment provider and the platform. */
export function renderExternalLinks({ provider, platform }: DonationLinks): Html | '' {
  const links = [...provider, ...platform];
  if (links.length === 0) return '';
  return html`<h2>In other systems</h2><dl>${links.map(renderExternalLink)}</dl>`;
}

function renderExternalLink({ label, id, url }: ExternalLink): Html {
  return html`<div><dt>${label}</dt><dd>${renderId(id, url)}</dd></div>`;
}

/** Renders links to the documentation. */
export function renderHelp({ help }: DonationLinks): Html {
  const links = help.map(
    ({ label, url }) => html`<li><a href="${url}" rel="noreferrer">${label}</a></li>`,
  );
  return html`<section class="help"><h2>Help</h2><ul>${links}</ul></section>`;
}
