import type { Language } from '@donation-form/core/i18n';
import { ElementBase, endpointOf, languageFor } from '../goal/server-element.ts';

/** The form's script has so many milliseconds to come; then the link leads to its page. */
const PATIENCE = 8_000;

const CLOSE: Readonly<Record<Language, string>> = {
  en: 'Close',
  es: 'Cerrar',
  fr: 'Fermer',
  de: 'Schließen',
  it: 'Chiudi',
  'pt-BR': 'Fechar',
  nl: 'Sluiten',
  pl: 'Zamknij',
  sv: 'Stäng',
  tr: 'Kapat',
  uk: 'Закрити',
  ar: 'إغلاق',
  he: 'סגירה',
  hi: 'बंद करें',
  'zh-Hans': '关闭',
  ja: '閉じる',
};

const STYLES = `
donation-button { display: block }
donation-button > a:not([class]) {
  display: inline-block; box-sizing: border-box; min-height: 2.75em; padding: .75em 1.5em; border-radius: var(--donation-radius, .625em);
  background: var(--donation-accent, #0b6e4f); color: var(--donation-on-accent, #fff); font-weight: 650; line-height: 1.25; text-decoration: none;
}
donation-button > a[aria-busy] { cursor: progress }
.donation-dialog {
  box-sizing: border-box; width: min(38em, 100% - 2em); max-width: none; max-height: calc(100dvh - 2em); margin: auto; padding: 1.5em; overflow: auto; scrollbar-gutter: stable both-edges; overscroll-behavior: contain;
  border: 0; border-radius: 1em; background: var(--donation-surface, Canvas); color: var(--donation-text, CanvasText);
}
.donation-dialog::backdrop { background: rgb(0 0 0 / .55) }
.donation-dialog[open]:not(:modal) { position: fixed; inset: 0; z-index: 2147483000; box-shadow: 0 0 0 100vmax rgb(0 0 0 / .55) }
.donation-dialog > button {
  position: sticky; top: 0; z-index: 1; display: grid; place-items: center; width: 2.75em; height: 2.75em; margin: -1em -1em -.25em auto; padding: 0;
  border: 0; border-radius: 50%; background: inherit; color: inherit; font: inherit; cursor: pointer;
}
.donation-dialog > button::before { content: "✕" / ""; font-size: 1.125em }
html:has(> body .donation-dialog[open]) { overflow: hidden }
@media (max-width: 40em) { .donation-dialog { width: 100%; height: 100dvh; max-height: none; padding: 1.25em; border-radius: 0 } }
`;

/** The form's attributes, as its script names them. */
type FormClass = CustomElementConstructor & { readonly observedAttributes: readonly string[] };

/**
 * A link to a page where one can give, which opens the donation form over this one instead. Without
 * scripts, or where the form's script does not come, it stays that link.
 * All attributes of `<donation-form>` are its own, and count for the form in the dialog.
 *
 * @customElement donation-button
 * @slot - the link: `<a href="https://example.org/give">Give</a>`
 */
export class DonationButtonElement extends ElementBase {
  /** Where the form's script is, where an element does not say: its own script sets it. */
  static defaultEndpoint: string | undefined;

  #dialog: HTMLDialogElement | undefined;

  connectedCallback(): void {
    adopt(this.ownerDocument);
    this.addEventListener('click', this.#click);
    for (const type of ['pointerenter', 'touchstart', 'focusin'])
      this.addEventListener(type, this.#prepare, { once: true, passive: true });
  }

  disconnectedCallback(): void {
    this.#dialog?.remove();
    this.#dialog = undefined;
  }

  /** Opens the form; where its script does not come, goes to the link's page. */
  async open(): Promise<void> {
    const link = this.querySelector('a');
    if (!link)
      throw new Error(
        'donation-button: found no link in it, expected <a href="…">, the page where one can give without the form.',
      );
    link.setAttribute('aria-busy', 'true');
    try {
      const Form = await within(PATIENCE, this.#load());
      if (!this.isConnected) return;
      const dialog = this.#fill(Form, link);
      if (!dialog.open) dialog.showModal();
    } catch (error) {
      console.error(
        "donation-button: the form could not be opened, so the link is followed. Check the attribute endpoint, and the page's Content-Security-Policy.",
        error,
      );
      link.ownerDocument.location.assign(link.href);
    } finally {
      link.removeAttribute('aria-busy');
    }
  }

  readonly #click = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void this.open();
  };

  readonly #prepare = (): void => {
    this.#load().catch(() => undefined);
  };

  /** The endpoint's address, ending in a slash. */
  get #base(): string {
    return endpointOf(this, DonationButtonElement.defaultEndpoint);
  }

  async #load(): Promise<FormClass> {
    if (!customElements.get('donation-form'))
      await import(/* @vite-ignore */ `${this.#base}donation-form.js`);
    return customElements.get('donation-form') as FormClass;
  }

  /**
   * The dialog with the form in it, whose attributes are those that this element has now. What the
   * donor typed before stays.
   */
  #fill(Form: FormClass, link: HTMLAnchorElement): HTMLDialogElement {
    const dialog = (this.#dialog ??= this.#makeDialog(link));
    const form = dialog.querySelector('donation-form')!;
    for (const name of Form.observedAttributes) {
      const value = name === 'endpoint' ? this.#base : this.getAttribute(name);
      if (value === null) form.removeAttribute(name);
      else if (form.getAttribute(name) !== value) form.setAttribute(name, value);
    }
    return dialog;
  }

  #makeDialog(link: HTMLAnchorElement): HTMLDialogElement {
    const dialog = document.createElement('dialog');
    const close = document.createElement('button');
    const form = document.createElement('donation-form');
    dialog.className = 'donation-dialog';
    dialog.setAttribute('aria-label', link.textContent.trim());
    close.type = 'button';
    close.setAttribute('aria-label', CLOSE[languageFor(this)]);
    close.addEventListener('click', () => dialog.close());
    // Browsers that know closedby="any" close it so by themselves.
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
    form.append(link.cloneNode(true));
    dialog.append(close, form);
    document.body.append(dialog);
    return dialog;
  }
}

const adopted = new WeakSet<Document>();

function adopt(document: Document): void {
  if (adopted.has(document)) return;
  adopted.add(document);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets.push(sheet);
}

/** @throws where it takes longer than so many milliseconds. */
function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      setTimeout(
        () => reject(new Error(`it took longer than ${milliseconds / 1_000} seconds`)),
        milliseconds,
      );
    }),
  ]);
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-button': DonationButtonElement;
  }
}
