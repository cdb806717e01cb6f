import { getTextDirection, type Language } from '@donation-form/core/i18n';
import type { GoalProgress } from '@donation-form/core/schemas';
import { resolveLanguage } from '../page/element-language.ts';
import { resolveEndpointUrl } from '../page/endpoint-url.ts';
import { ElementBase } from './server-element.ts';

interface GoalMessages {
  readonly progress: string;
  readonly asOf: string;
}

const GOAL_MESSAGES: Readonly<Record<Language, GoalMessages>> = {
  en: { progress: '{raised} of {target} raised', asOf: 'As of {time}' },
  'en-GB': { progress: '{raised} of {target} raised', asOf: 'As at {time}' },
  es: { progress: '{raised} recaudados de {target}', asOf: 'Actualizado el {time}' },
  fr: { progress: '{raised} collectés sur {target}', asOf: 'Au {time}' },
  de: { progress: '{raised} von {target} gesammelt', asOf: 'Stand: {time}' },
  it: { progress: '{raised} raccolti su {target}', asOf: 'Aggiornamento: {time}' },
  'pt-BR': { progress: '{raised} arrecadados de {target}', asOf: 'Atualizado em {time}' },
  nl: { progress: '{raised} van {target} opgehaald', asOf: 'Stand op {time}' },
  pl: { progress: 'Zebrano {raised} z {target}', asOf: 'Stan na {time}' },
  sv: { progress: '{raised} av {target} insamlat', asOf: 'Uppdaterat {time}' },
  tr: { progress: '{raised} toplandı, hedef {target}', asOf: '{time} itibarıyla' },
  uk: { progress: 'Зібрано {raised} з {target}', asOf: 'Станом на {time}' },
  ar: { progress: 'جُمع {raised} من أصل {target}', asOf: 'حتى {time}' },
  he: { progress: 'נאספו {raised} מתוך {target}', asOf: 'נכון ל־{time}' },
  hi: { progress: '{target} में से {raised} जुटाए गए', asOf: '{time} तक' },
  'zh-Hans': { progress: '已筹{raised}，目标{target}', asOf: '截至{time}' },
  ja: { progress: '目標{target}のうち{raised}が集まりました', asOf: '{time}現在' },
};

const STYLES = `
:host { display: block; --_donation-accent: light-dark(#0a5c43, #6fdcb1) }
:host([hidden]) { display: none }
p { margin: 0 }
.amount { font-variant-numeric: tabular-nums }
.amount > * { unicode-bidi: isolate }
.amount > b { font-size: 1.25em; font-weight: 650 }
progress {
  display: block; box-sizing: border-box; width: 100%; height: .75em; margin: .5em 0;
  appearance: none; overflow: hidden;
  border: 1px solid transparent; border-radius: 1em;
  background: color-mix(in srgb, currentcolor 14%, transparent);
  --_donation-accent: var(--donation-accent, inherit); color: var(--_donation-accent);
}
progress::-webkit-progress-bar { background: none }
progress::-webkit-progress-value { border-radius: 1em; background: var(--_donation-accent) }
progress::-moz-progress-bar { border-radius: 1em; background: var(--_donation-accent) }
.secondary { color: var(--donation-muted, inherit); font-size: .875em }
@media (forced-colors: active) {
  progress { border-color: CanvasText; color: Highlight; forced-color-adjust: none; background: Canvas }
  progress::-webkit-progress-value { background: Highlight }
  progress::-moz-progress-bar { background: Highlight }
}
`;

/**
 * Progress toward a fundraising goal in the endpoint's configuration.
 *
 * @customElement donation-goal
 * @attr {string} endpoint - URL of the donation server
 * @attr {string} goal - ID of the goal in the endpoint's configuration; by default, the first goal
 * @attr {string} language - BCP 47 tag; by default, the page's language, or else the browser's
 * @slot - fallback content, shown until the goal has loaded, or if the goal cannot be loaded
 * @csspart amount - the amount raised and the target
 * @csspart bar - the progress bar
 * @csspart as-of - the date of the last update
 * @cssprop --donation-accent - color of the progress bar
 * @cssprop --donation-muted - secondary text
 */
export class DonationGoalElement extends ElementBase {
  static readonly observedAttributes = ['endpoint', 'goal', 'language'] as const;

  /** Endpoint for elements without an `endpoint` attribute. Set by the embed script. */
  static defaultEndpoint: string | undefined;

  #requestCount = 0;

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

  /** Fetches and shows the progress. If the request fails, the previous content remains. */
  async refresh(): Promise<void> {
    const requestNumber = (this.#requestCount += 1);
    const language = resolveLanguage(this);
    const endpoint = this.getAttribute('endpoint') ?? DonationGoalElement.defaultEndpoint;
    try {
      const url = new URL('goal', resolveEndpointUrl(endpoint));
      url.searchParams.set('id', this.getAttribute('goal') ?? '');
      url.searchParams.set('language', language);
      const response = await fetch(url);
      const body = (await response.json()) as GoalProgress | { detail: string };
      if ('detail' in body) throw new Error(body.detail);
      if (requestNumber === this.#requestCount) this.#render(body, language);
    } catch (error) {
      console.error(
        `donation-goal: Cannot load the goal from ${endpoint ?? location.origin}. ` +
          'Check that the endpoint attribute is correct and that "origins" in the server\'s ' +
          `configuration includes ${location.origin}.`,
        error,
      );
    }
  }

  #render(
    { name, currency, decimals, target, raised, asOf }: GoalProgress,
    language: keyof typeof GOAL_MESSAGES,
  ): void {
    const messages = GOAL_MESSAGES[language];
    const formatMoney = new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      maximumFractionDigits: decimals,
      trailingZeroDisplay: 'stripIfInteger',
    });
    // Prevents right-to-left text from moving the currency sign to the other side of the number.
    const createAmount = (minor: number, name: 'b' | 'span'): HTMLElement =>
      Object.assign(document.createElement(name), {
        dir: 'ltr',
        translate: false,
        textContent: formatMoney.format(minor / 10 ** decimals),
      });
    const amountLine = createElement('p', 'amount', 'amount');
    const bar = createElement('progress', '', 'bar');
    const asOfLine = createElement('p', 'secondary', 'as-of');
    const container = document.createElement('div');
    const amounts: Readonly<Record<string, HTMLElement>> = {
      '{raised}': createAmount(raised, 'b'),
      '{target}': createAmount(target, 'span'),
    };
    amountLine.append(
      ...messages.progress.split(/(\{\w+\})/).map((piece) => amounts[piece] ?? piece),
    );
    Object.assign(bar, { max: target, value: Math.min(raised, target), ariaLabel: name });
    asOfLine.textContent = messages.asOf.replace(
      '{time}',
      new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(asOf)),
    );
    Object.assign(container, { lang: language, dir: getTextDirection(language) });
    container.append(amountLine, bar, asOfLine);
    this.shadowRoot!.replaceChildren(container);
  }
}

function createElement<Name extends 'p' | 'progress'>(
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
