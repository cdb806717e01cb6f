import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import { checkLink, checkLinksInCsv } from '@donation-form/core/settings';
import { fetchForm, runWhenReleased } from '@donation-form/donation-form/internal';
import { copyText, downloadFile } from '../export-text.ts';
import {
  buildCampaignLink,
  type LinkFields,
  readLinkFields,
  validatePageUrl,
} from './link-fields.ts';
import { createSvgFile, type QrCode } from './qr-code.ts';
import { renderLinkBar, renderLinkCard } from './sections/link.ts';
import { renderLinkForm } from './sections/link-form.ts';
import { renderLinksCheck } from './sections/links-check.ts';
import type { LinksCheck, LinkView } from './view.ts';

/** Placeholder for a missing or invalid page URL. */
const PLACEHOLDER_PAGE = 'https://example.org/';
/** Milliseconds of inactivity before the preview updates. */
const DEBOUNCE = 400;

/**
 * Builds campaign links for a form, previews them, and checks existing links.
 *
 * @attr endpoint - URL of the donation server
 * @attr form-id - ID of one of the endpoint's forms
 * @attr origins - space-separated origins of the pages that can show the form
 */
export class CampaignLinksElement extends LitElement {
  static override properties = {
    endpoint: {},
    formId: { attribute: 'form-id' },
    origins: {},
    form: { state: true },
    isUnavailable: { state: true },
    fields: { state: true },
    showsPageProblem: { state: true },
    copyMessage: { state: true },
    linksText: { state: true },
    linksCheck: { state: true },
  };

  declare endpoint: string;
  declare formId: string;
  declare origins: string;

  declare private form: FormDefinition | undefined;
  declare private isUnavailable: boolean;
  declare private fields: LinkFields;
  /** True after the user leaves the page URL field. */
  declare private showsPageProblem: boolean;
  declare private copyMessage: string;
  declare private linksText: string;
  declare private linksCheck: LinksCheck | undefined;

  #previewUrl: string | undefined;
  #debounceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.endpoint = '/';
    this.formId = '';
    this.origins = '';
    this.isUnavailable = false;
    this.fields = {};
    this.showsPageProblem = false;
    this.copyMessage = '';
    this.linksText = '';
  }

  /** Renders without a shadow root, so the page's style sheets apply. */
  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.form) void this.#loadForm();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#debounceTimer);
  }

  protected override render(): TemplateResult {
    const { form } = this;
    if (this.isUnavailable)
      return html`<p role="alert">
        Cannot load the form.
        <button type="button" @click=${() => void this.#loadForm()}>Try again</button>
      </p>`;
    if (!form) return html`<p role="status" class="hint">Loading the form…</p>`;
    const view = this.#createViewModel(form);
    const { link } = view;
    const copyLink = (): void => void (link !== undefined && this.#copyLink(link));
    return html`
      <div class="panes">
        <div>
          <form novalidate @input=${this.#updateFields}
            @focusout=${this.#checkPage}>${renderLinkForm(view)}</form>
          ${link === undefined ? nothing : renderLinkBar(view, copyLink)}
        </div>
        <div class="output">
          ${renderLinkCard(view, copyLink, (code) => this.#downloadQrCode(code))}
          <section class="card" aria-labelledby="preview-title">
            <h2 id="preview-title">Preview</h2>
            <iframe title="Preview of the donation form"></iframe>
          </section>
        </div>
      </div>
      ${renderLinksCheck(view, (text) => this.#checkLinks(text, form))}`;
  }

  protected override updated(changed: PropertyValues): void {
    if (this.form && (changed.has('form') || changed.has('fields')))
      this.#updatePreview(this.form.id);
  }

  #createViewModel(form: FormDefinition): LinkView {
    const { fields, copyMessage, linksText, linksCheck } = this;
    const link = this.#link;
    return {
      form,
      fields,
      link,
      origins: this.origins.split(' '),
      check: checkLink(form, link ?? buildCampaignLink(PLACEHOLDER_PAGE, fields)),
      pageProblem: this.showsPageProblem ? validatePageUrl(fields.page) : undefined,
      copyMessage,
      linksText,
      linksCheck,
    };
  }

  get #link(): string | undefined {
    const { page } = this.fields;
    return page !== undefined && validatePageUrl(page) === undefined
      ? buildCampaignLink(page, this.fields)
      : undefined;
  }

  get #base(): string {
    return new URL(this.endpoint, document.baseURI).href;
  }

  async #loadForm(): Promise<void> {
    this.isUnavailable = false;
    try {
      this.form = (await fetchForm(this.#base, this.formId || undefined, 'en')).definition;
    } catch {
      this.isUnavailable = true;
    }
  }

  readonly #updateFields = ({ currentTarget }: Event): void => {
    this.fields = readLinkFields(new FormData(currentTarget as HTMLFormElement));
    this.copyMessage = '';
  };

  readonly #checkPage = ({ target, relatedTarget }: FocusEvent): void => {
    if ((target as HTMLInputElement).name !== 'page' || this.fields.page === undefined) return;
    runWhenReleased(this, relatedTarget !== null, () => {
      this.showsPageProblem = true;
    });
  };

  async #copyLink(link: string): Promise<void> {
    this.copyMessage = await copyText(
      link,
      this.querySelector<HTMLTextAreaElement>('#link')!,
      'The link',
    );
  }

  #downloadQrCode(code: QrCode): void {
    const name = ['qr-code', this.fields.segment ?? this.fields.utmCampaign]
      .filter(Boolean)
      .join('-')
      .replaceAll(/[^\w-]+/g, '_');
    downloadFile(createSvgFile(code), `${name}.svg`);
  }

  /** Updates the preview after a pause in typing. Adds no entry to the browser history. */
  #updatePreview(form: string): void {
    const { search } = new URL(this.#link ?? buildCampaignLink(PLACEHOLDER_PAGE, this.fields));
    const url = `${this.#base}links/preview/${encodeURIComponent(form)}${search}`;
    const isFirst = this.#previewUrl === undefined;
    clearTimeout(this.#debounceTimer);
    if (url === this.#previewUrl) return;
    this.#debounceTimer = setTimeout(
      () => {
        this.#previewUrl = url;
        this.querySelector('iframe')?.contentWindow?.location.replace(url);
      },
      isFirst ? 0 : DEBOUNCE,
    );
  }

  #checkLinks(text: string, form: FormDefinition): void {
    this.linksText = text;
    try {
      this.linksCheck =
        text.trim() === ''
          ? undefined
          : { rows: checkLinksInCsv(text, form, this.origins.split(' ')) };
    } catch (error) {
      this.linksCheck = {
        problem: `Cannot read this table: ${(error as Error).message}. Correct the table, then try again.`,
      };
    }
  }
}
