import { ElementBase } from '../goal/server-element.ts';
import { resolveLanguage } from '../page/element-language.ts';
import { resolveEndpointUrl } from '../page/endpoint-url.ts';
import { importWithRetry } from '../page/import-with-retry.ts';
import { toArray } from '../page/to-array.ts';
import { withTimeLimit } from '../payment-fields/time-limit.ts';
import { CLOSE_TEXTS } from './close-texts.ts';
import { DialogCloser, prepareHistory } from './dialog-closer.ts';

const LOAD_TIMEOUT = 8_000;

const STYLES = `
body { --_donation-surface: Canvas; --_donation-text: CanvasText }
donation-button { display: block }
donation-button > a:not([class]) {
  display: inline-block; box-sizing: border-box; min-height: 2.75em; padding: .75em 1.5em;
  border-radius: var(--donation-radius, .625em);
  --_donation-accent: var(--donation-accent, #0a5c43); background: var(--_donation-accent);
  --_donation-on-accent: var(--donation-on-accent, #fff); color: var(--_donation-on-accent);
  font-weight: 650; line-height: 1.25; text-decoration: none;
}
donation-button > a[aria-busy] { cursor: progress }
.donation-dialog {
  box-sizing: border-box; width: min(38em, 100% - 2em); max-width: none;
  max-height: calc(100dvh - 2em); margin: auto; padding: 0 1.5em 1.5em; overflow: auto;
  scrollbar-gutter: stable both-edges; overscroll-behavior: contain;
  --_donation-surface: var(--donation-surface, inherit); background-color: var(--_donation-surface);
  background-image: var(--donation-surface, none);
  --_donation-text: var(--donation-text, inherit); color: var(--_donation-text);
  border: 0; border-radius: 1em;
}
.donation-dialog::backdrop { background: rgb(0 0 0 / .55) }
.donation-dialog[open]:not(:modal) {
  position: fixed; inset: 0; z-index: 2147483000; box-shadow: 0 0 0 100vmax rgb(0 0 0 / .55)
}
.donation-dialog > div {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: .5em;
  margin: 0 -1.5em; padding-block: .5em; padding-inline: 1.5em .75em; background: inherit;
}
.donation-dialog h2 {
  flex: 1; margin: 0; padding: 0; background: none; color: inherit; font: inherit; font-size: 1.125em;
  font-weight: 650; line-height: 1.3; text-align: start;
}
.donation-dialog > div button {
  display: grid; place-items: center; flex: none; width: 2.75em; height: 2.75em; margin: 0; padding: 0;
  border: 0; border-radius: 50%; background: none; color: inherit; font: inherit; cursor: pointer;
}
.donation-dialog > div button::before { content: "✕" / ""; font-size: 1.125em }
.donation-dialog dialog {
  box-sizing: border-box; width: min(24em, 100% - 2em); margin: auto; padding: 1.5em;
  border: 0; border-radius: 1em; background: inherit; color: inherit;
}
.donation-dialog dialog::backdrop { background: rgb(0 0 0 / .55) }
.donation-dialog dialog p { margin: 0 0 1em }
.donation-dialog dialog button {
  min-height: 2.75em; margin: 0; padding: .5em 1.25em; border: 1px solid; border-radius: .625em;
  margin-inline-end: .5em; background: none; color: inherit; font: inherit; cursor: pointer;
}
html:has(> body .donation-dialog[open]) { overflow: hidden }
@media (max-width: 40em) {
  .donation-dialog {
    width: 100%; height: 100dvh; max-height: none; padding: 0 1.25em; border-radius: 0;
    scroll-padding-block: 4em 6em; --_donation-sheet: yes
  }
  .donation-dialog > donation-form { margin-block-end: 1.25em }
  .donation-dialog > div { margin-inline: -1.25em; padding-inline: 1.25em .5em }
}
`;

/** Marks the dialogs of buttons. A theme's own popups can have the same class. */
const DIALOG_ATTRIBUTE = 'data-donation-form-dialog';

type FormClass = CustomElementConstructor & { readonly observedAttributes: readonly string[] };

/**
 * A link that opens the donation form in a dialog. Without JavaScript, or if the form's script
 * fails to load, the link opens its own URL. Accepts all attributes of `<donation-form>` and passes
 * them to the form in the dialog.
 *
 * @customElement donation-button
 * @slot - the link: `<a href="https://example.org/give">Give</a>`
 */
export class DonationButtonElement extends ElementBase {
  /** Endpoint for elements without an `endpoint` attribute. Set by the embed script. */
  static defaultEndpoint: string | undefined;

  #dialog: HTMLDialogElement | undefined;
  #closer: DialogCloser | undefined;

  connectedCallback(): void {
    // A library might insert the page's elements one at a time.
    queueMicrotask(() => removeCopiedDialogs(this.ownerDocument));
    adoptStyles(this.ownerDocument);
    prepareHistory();
    this.addEventListener('click', this.#handleClick);
    for (const type of ['pointerenter', 'touchstart', 'focusin'])
      this.addEventListener(type, this.#preload, { once: true, passive: true });
  }

  disconnectedCallback(): void {
    // If the page only moves the element, it is connected again before the microtask runs.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#dialog?.close();
      this.#dialog?.remove();
      this.#dialog = undefined;
    });
  }

  /** Opens the form. If the form's script fails to load, opens the link instead. */
  async open(): Promise<void> {
    const link = this.querySelector('a');
    if (!link)
      throw new Error(
        'donation-button: The element contains no link. Add a link (<a href="…">) to a page with another way to give.',
      );
    link.setAttribute('aria-busy', 'true');
    try {
      const formClass = await withTimeLimit(
        this.#loadForm(),
        LOAD_TIMEOUT,
        `The form's script did not load within ${LOAD_TIMEOUT / 1_000} seconds.`,
      );
      if (!this.isConnected) return;
      this.#createOrUpdateDialog(formClass, link);
      this.#closer!.open();
    } catch (error) {
      console.error(
        'donation-button: Cannot open the form, so the link opens instead. ' +
          "Check the endpoint attribute and the page's Content-Security-Policy.",
        error,
      );
      link.ownerDocument.location.assign(link.href);
    } finally {
      link.removeAttribute('aria-busy');
    }
  }

  readonly #handleClick = (event: MouseEvent): void => {
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

  readonly #preload = (): void => {
    this.#loadForm().catch(() => undefined);
  };

  /** @throws {TypeError} if the URL is invalid. */
  get #endpointUrl(): string {
    const endpoint = this.getAttribute('endpoint') ?? DonationButtonElement.defaultEndpoint;
    return new URL(resolveEndpointUrl(endpoint)).href;
  }

  async #loadForm(): Promise<FormClass> {
    if (!customElements.get('donation-form'))
      await importWithRetry(`${this.#endpointUrl}donation-form.js`);
    return customElements.get('donation-form') as FormClass;
  }

  /** Creates the dialog, or updates its form's attributes and preserves the donor's input. */
  #createOrUpdateDialog(formClass: FormClass, link: HTMLAnchorElement): void {
    const dialog = (this.#dialog ??= this.#createDialog(link));
    const form = dialog.querySelector('donation-form')!;
    for (const name of formClass.observedAttributes) {
      const value = name === 'endpoint' ? this.#endpointUrl : this.getAttribute(name);
      if (value === null) form.removeAttribute(name);
      else if (form.getAttribute(name) !== value) form.setAttribute(name, value);
    }
  }

  #createDialog(link: HTMLAnchorElement): HTMLDialogElement {
    const dialog = document.createElement('dialog');
    const header = document.createElement('div');
    const title = document.createElement('h2');
    const close = document.createElement('button');
    const form = document.createElement('donation-form');
    const language = resolveLanguage(this);
    dialog.className = 'donation-dialog';
    dialog.setAttribute(DIALOG_ATTRIBUTE, '');
    title.textContent = link.textContent.trim();
    dialog.setAttribute('aria-label', title.textContent);
    close.type = 'button';
    close.setAttribute('aria-label', CLOSE_TEXTS[language].close);
    close.lang = language;
    form.append(link.cloneNode(true));
    header.append(title, close);
    dialog.append(header, form);
    this.#closer = new DialogCloser(dialog, close, language);
    document.body.append(dialog);
    dialogs.add(dialog);
    return dialog;
  }
}

const dialogs = new WeakSet<Element>();

/** Removes dialogs of another page of which this page is a copy, as Turbo shows after Back. */
function removeCopiedDialogs(document: Document): void {
  for (const dialog of toArray(document.querySelectorAll(`dialog[${DIALOG_ATTRIBUTE}]`)))
    if (!dialogs.has(dialog)) dialog.remove();
}

const styledDocuments = new WeakSet<Document>();

function adoptStyles(document: Document): void {
  if (styledDocuments.has(document)) return;
  styledDocuments.add(document);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  document.adoptedStyleSheets.push(sheet);
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-button': DonationButtonElement;
  }
}
