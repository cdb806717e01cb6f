import type { GoalProgress } from '@donation-form/core/schemas';
import { ElementBase, endpointOf, languageFor } from './server-element.ts';
import { WORDS } from './messages.ts';

const STYLES = `
:host { display: block }
:host([hidden]) { display: none }
p { margin: 0 }
.sum { font-variant-numeric: tabular-nums }
.sum > * { unicode-bidi: isolate }
.sum > b { font-size: 1.25em; font-weight: 650 }
progress {
  display: block; box-sizing: border-box; width: 100%; height: .75em; margin: .5em 0; appearance: none; overflow: hidden;
  border: 1px solid transparent; border-radius: 1em; background: color-mix(in srgb, currentcolor 14%, transparent); color: var(--donation-accent, light-dark(#0b6e4f, #5fd3a6));
}
progress::-webkit-progress-bar { background: none }
progress::-webkit-progress-value { border-radius: 1em; background: var(--donation-accent, light-dark(#0b6e4f, #5fd3a6)) }
progress::-moz-progress-bar { border-radius: 1em; background: var(--donation-accent, light-dark(#0b6e4f, #5fd3a6)) }
.quiet { color: var(--donation-muted, inherit); font-size: .875em }
@media (forced-colors: active) { progress { border-color: CanvasText; appearance: auto } }
`;

/**
 * How far a goal of the endpoint's configuration has come, and as of when that was counted.
 *
 * @customElement donation-goal
 * @attr {string} endpoint - the donation endpoint's address
 * @attr {string} goal - which of the endpoint's goals; the first one where absent
 * @attr {string} language - BCP 47; without it, that of the page around it, or else the browser's
 * @slot - what is shown until the figures are here, and where they cannot be had
 * @csspart sum - what was raised, and of how much
 * @csspart bar - the progress
 * @csspart as-of - when that was counted
 * @cssprop --donation-accent - the bar
 * @cssprop --donation-muted - quiet text
 */
export class DonationGoalElement extends ElementBase {
  static readonly observedAttributes = ['endpoint', 'goal', 'language'] as const;

  /** Where the endpoint is, where an element does not say: its own script sets it. */
  static defaultEndpoint: string | undefined;

  #asked = 0;

  connectedCallback(): void {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLES);
      root.adoptedStyleSheets = [sheet];
      root.append(document.createElement('slot'));
    }
    void this.refresh();
  }

  attributeChangedCallback(): void {
    if (this.shadowRoot) void this.refresh();
  }

  /**
   * Asks the endpoint for the figures, and shows them; where it does not answer, what was shown
   * stays.
   */
  async refresh(): Promise<void> {
    const asked = (this.#asked += 1);
    const language = languageFor(this);
    try {
      const address = new URL('goal', endpointOf(this, DonationGoalElement.defaultEndpoint));
      address.searchParams.set('id', this.getAttribute('goal') ?? '');
      address.searchParams.set('language', language);
      const response = await fetch(address);
      const answer = (await response.json()) as GoalProgress | { detail: string };
      if ('detail' in answer) throw new Error(answer.detail);
      if (asked === this.#asked) this.#show(answer, language);
    } catch (error) {
      console.error(
        `donation-goal: ${this.getAttribute('endpoint') ?? DonationGoalElement.defaultEndpoint ?? location.origin} gives ${location.origin} no figures. Check that address, and "origins" in the endpoint's configuration.`,
        error,
      );
    }
  }

  #show(
    { name, currency, decimals, target, raised, asOf }: GoalProgress,
    language: keyof typeof WORDS,
  ): void {
    const { sum, counted, direction } = WORDS[language];
    const formatMoney = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      maximumFractionDigits: decimals,
      trailingZeroDisplay: 'stripIfInteger',
    });
    // A sign behind its letters would stand before them where the text goes from right to left.
    const figure = (minor: number, name: 'b' | 'span'): HTMLElement =>
      Object.assign(document.createElement(name), {
        dir: 'ltr',
        textContent: formatMoney.format(minor / 10 ** decimals),
      });
    const line = made('p', 'sum', 'sum');
    const bar = made('progress', '', 'bar');
    const when = made('p', 'quiet', 'as-of');
    const all = document.createElement('div');
    const figures: Readonly<Record<string, HTMLElement>> = {
      '{raised}': figure(raised, 'b'),
      '{target}': figure(target, 'span'),
    };
    line.append(...sum.split(/(\{\w+\})/).map((piece) => figures[piece] ?? piece));
    Object.assign(bar, { max: target, value: Math.min(raised, target), ariaLabel: name });
    when.textContent = counted.replace(
      '{time}',
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date(asOf),
      ),
    );
    Object.assign(all, { lang: language, dir: direction });
    all.append(line, bar, when);
    this.shadowRoot!.replaceChildren(all);
  }
}

function made<Name extends 'p' | 'progress'>(
  name: Name,
  className: string,
  part: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.part.add(part);
  return element;
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-goal': DonationGoalElement;
  }
}
