import { LitElement, html, type PropertyValues, type TemplateResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import { fetchForm } from '@donation-form/donation-form/internal';
import { checkLink, checkTable } from '@donation-form/core/settings';
import { copyText } from '../copy-text.ts';
import { saveFile } from '../save-file.ts';
import { pageStyles } from '../styles.ts';
import { linkTo, pageProblem, readEntries, type Entries } from './entries.ts';
import { svgFile, type QrCode } from './qr-code.ts';
import { linkCard } from './sections/link.ts';
import { maker } from './sections/maker.ts';
import { tableCard } from './sections/table.ts';
import { styles } from './styles.ts';
import type { TableState, View } from './view.ts';

/** Stands for the page while its address is not known. */
const ANY_PAGE = 'https://example.org/';
/** How long typing has to rest before the preview follows, milliseconds. */
const REST = 400;

/**
 * Makes campaign links for a form, shows what a donor sees by them, and checks links that exist.
 *
 * @attr endpoint - the donation endpoint's address
 * @attr form-id - which of the endpoint's forms
 */
export class CampaignLinksElement extends LitElement {
  static override styles = [pageStyles, styles];
  static override properties = {
    endpoint: {},
    formId: { attribute: 'form-id' },
    form: { state: true },
    isUnavailable: { state: true },
    entries: { state: true },
    mayComplain: { state: true },
    said: { state: true },
    tableText: { state: true },
    table: { state: true },
  };

  declare endpoint: string;
  declare formId: string;

  declare private form: FormDefinition | undefined;
  declare private isUnavailable: boolean;
  declare private entries: Entries;
  /**
   * Whether a page's address that is missing or wrong may be named: not while it is first written.
   */
  declare private mayComplain: boolean;
  declare private said: string;
  declare private tableText: string;
  declare private table: TableState | undefined;

  #previewed: string | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.endpoint = '/';
    this.formId = '';
    this.isUnavailable = false;
    this.entries = {};
    this.mayComplain = false;
    this.said = '';
    this.tableText = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.form) void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#rest);
  }

  protected override render(): TemplateResult {
    const { form } = this;
    if (this.isUnavailable)
      return html`<p role="alert">The form could not be loaded. <button class="quiet" type="button" @click=${() => void this.#load()}>Try again</button></p>`;
    if (!form) return html`<p role="status" class="hint">The form is loading…</p>`;
    const view = this.#view(form);
    return html`
      <div class="columns">
        <form novalidate @input=${this.#read} @focusout=${this.#checkPage}>${maker(view)}</form>
        <div class="results">
          ${linkCard(
            view,
            () => void this.#copy(),
            (code) => this.#save(code),
          )}
          <section class="card" aria-labelledby="preview-title">
            <h2 id="preview-title">What the donor sees</h2>
            <iframe title="Preview of the donation form"></iframe>
          </section>
        </div>
      </div>
      ${tableCard(view, (text) => this.#checkTable(text, form))}`;
  }

  protected override updated(changed: PropertyValues): void {
    if (this.form && (changed.has('form') || changed.has('entries')))
      this.#followWithPreview(this.form.id);
  }

  #view(form: FormDefinition): View {
    const { entries, said, tableText, table } = this;
    const problem = pageProblem(entries.page);
    const link = this.#link;
    return {
      form,
      entries,
      link,
      check: checkLink(form, link ?? linkTo(ANY_PAGE, entries)),
      pageProblem: this.mayComplain ? problem : undefined,
      said,
      tableText,
      table,
    };
  }

  get #link(): string | undefined {
    const { page } = this.entries;
    return page !== undefined && pageProblem(page) === undefined
      ? linkTo(page, this.entries)
      : undefined;
  }

  get #base(): string {
    return new URL(this.endpoint, document.baseURI).href;
  }

  async #load(): Promise<void> {
    this.isUnavailable = false;
    try {
      this.form = (await fetchForm(this.#base, this.formId || undefined, 'en')).definition;
    } catch {
      this.isUnavailable = true;
    }
  }

  readonly #read = ({ currentTarget }: Event): void => {
    this.entries = readEntries(new FormData(currentTarget as HTMLFormElement));
    this.said = '';
  };

  readonly #checkPage = ({ target }: FocusEvent): void => {
    if ((target as HTMLInputElement).name === 'page' && this.entries.page !== undefined)
      this.mayComplain = true;
  };

  async #copy(): Promise<void> {
    const link = this.#link;
    if (link === undefined) {
      this.mayComplain = true;
      this.renderRoot.querySelector<HTMLElement>('#page')?.focus();
      return;
    }
    this.said = await copyText(
      link,
      this.renderRoot.querySelector<HTMLTextAreaElement>('#link')!,
      'The link',
    );
  }

  #save(code: QrCode): void {
    saveFile(
      svgFile(code),
      `${['qr-code', this.entries.segment ?? this.entries.utmCampaign]
        .filter(Boolean)
        .join('-')
        .replaceAll(/[^\w-]+/g, '_')}.svg`,
    );
  }

  /**
   * Shows in the frame what the link opens, once typing rests; without an entry in the browser's
   * history for every change.
   */
  #followWithPreview(form: string): void {
    const { search } = new URL(this.#link ?? linkTo(ANY_PAGE, this.entries));
    const address = `${this.#base}links/preview/${encodeURIComponent(form)}${search}`;
    const isFirst = this.#previewed === undefined;
    clearTimeout(this.#rest);
    if (address === this.#previewed) return;
    this.#rest = setTimeout(
      () => {
        this.#previewed = address;
        this.renderRoot.querySelector('iframe')?.contentWindow?.location.replace(address);
      },
      isFirst ? 0 : REST,
    );
  }

  #checkTable(text: string, form: FormDefinition): void {
    this.tableText = text;
    try {
      this.table = text.trim() === '' ? undefined : { rows: checkTable(text, form) };
    } catch (error) {
      this.table = { problem: `This is no table that can be read: ${(error as Error).message}` };
    }
  }
}
