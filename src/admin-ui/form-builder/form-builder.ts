import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { runWhenReleased } from '@donation-form/donation-form/internal';
import { copyText, downloadFile } from '../export-text.ts';
import {
  type ConfigPath,
  getListAtPath,
  type Json,
  moveItemUp,
  reorderPaths,
  replaceValueAtPath,
} from './config-path.ts';
import { createColorPalette, listContrastWarnings } from './contrast.ts';
import {
  type Draft,
  getFormPath,
  getOrganizationPath,
  loadDraft,
  NEW_DRAFT,
  parseDraft,
  saveDraft,
} from './draft.ts';
import { FormPreview, type PreviewProblem, type PreviewResult } from './form-preview.ts';
import { renderAmounts } from './sections/amounts.ts';
import { renderAppearance } from './sections/appearance.ts';
import { type ExportActions, renderExport } from './sections/export.ts';
import { renderFrequencies } from './sections/frequencies.ts';
import { renderOrganization } from './sections/organization.ts';
import { renderPreviewCard } from './sections/preview.ts';
import { renderProjects } from './sections/projects.ts';
import { renderStartingPoint } from './sections/starting-point.ts';
import { renderTexts } from './sections/texts.ts';
import { validateEndpoint } from './snippet.ts';
import type { BuilderView, Messages } from './view.ts';

/** Milliseconds of inactivity before the preview updates. */
const DEBOUNCE = 400;

/** Heading IDs and labels for the section links at the bottom of narrow pages. */
const PAGE_SECTIONS = [
  ['source-title', 'Fields'],
  ['preview-title', 'Preview'],
  ['export-title', 'File and snippet'],
] as const;

/**
 * Lets a user create a form's configuration, preview the form, and copy the snippet that embeds it.
 *
 * @attr csrf - CSRF token of the session
 */
export class FormBuilderElement extends LitElement {
  static override properties = {
    csrf: {},
    draft: { state: true },
    previousDraft: { state: true },
    touchedFields: { state: true },
    openEntries: { state: true },
    viewOptions: { state: true },
    messages: { state: true },
  };

  declare csrf: string;

  declare private draft: Draft | undefined;
  declare private previousDraft: Draft | undefined;
  /** Paths of the fields that can show problems, for example because the user has left them. */
  declare private touchedFields: ReadonlySet<ConfigPath>;
  declare private openEntries: ReadonlySet<ConfigPath>;
  declare private viewOptions: Pick<BuilderView, 'scheme' | 'isPhone' | 'exportScope'>;
  declare private messages: Messages;

  readonly #preview = new FormPreview(this);
  readonly #sampleElement = document.createElement('i');
  #debounceTimer: ReturnType<typeof setTimeout> | undefined;
  /** True if the next preview also reveals problems in untouched fields, as for a file. */
  #showsAllProblems = false;
  #focusNext: ConfigPath | undefined;

  constructor() {
    super();
    this.csrf = '';
    this.touchedFields = new Set();
    this.openEntries = new Set();
    this.viewOptions = { scheme: 'light', isPhone: true, exportScope: 'file' };
    this.messages = {};
    this.#sampleElement.hidden = true;
  }

  /** Renders without a shadow root, so the page's style sheets apply. */
  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.append(this.#sampleElement);
    const saved = loadDraft();
    if (this.draft) return;
    if (saved) this.#replaceDraft(saved, { showsAllProblems: true });
    else void this.#startFromServerConfiguration();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#debounceTimer);
  }

  protected override render(): TemplateResult {
    const { draft } = this;
    if (!draft)
      return html`<p role="status" class="hint">
        ${this.messages.sourceError ?? 'Loading the configuration…'}
      </p>`;
    const view = this.#createViewModel(draft);
    const source = renderStartingPoint(view, {
      open: (file) => void this.#openFile(file),
      useServerConfiguration: () => void this.#startFromServerConfiguration(),
      startNew: () => this.#replaceDraft(NEW_DRAFT, { showsAllProblems: false }),
      restorePrevious:
        this.previousDraft &&
        (() => this.#replaceDraft(this.previousDraft!, { showsAllProblems: true })),
    });
    const preview = renderPreviewCard(view, this.#preview.hasForm, () =>
      this.#preview.showForm(draft, this.viewOptions.scheme),
    );
    const fieldGroups = [
      renderOrganization,
      renderFrequencies,
      renderAmounts,
      renderProjects,
      renderTexts,
      renderAppearance,
    ].map((renderGroup) => renderGroup(view));
    return html`
      <div class="panes">
        <div class="editor">
          ${source}
          <form novalidate @submit=${(event: Event) => event.preventDefault()}
            @focusout=${this.#markFieldTouched}>${fieldGroups}</form>
        </div>
        <div class="output">${preview}</div>
      </div>
      ${renderExport(view, this.#exportActions)}
      <div class="bottom-bar" role="navigation" aria-label="On this page">
        ${PAGE_SECTIONS.map(
          ([id, label]) => html`<a href="#${id}"
            @click=${(event: Event) => {
              event.preventDefault();
              this.#focusAfterUpdate(id);
            }}>${label}</a>`,
        )}
      </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (this.draft) this.#preview.showForm(this.draft, this.viewOptions.scheme);
    if (this.draft && changed.has('draft')) void this.#preview.loadTheme(this.draft);
    const id = this.#focusNext;
    this.#focusNext = undefined;
    if (id === undefined) return;
    const target = this.querySelector<HTMLElement>(`[id="${id}"]`);
    unfoldSectionsAround(target);
    target?.focus();
  }

  #createViewModel(draft: Draft): BuilderView {
    const { messages, openEntries } = this;
    const { result } = this.#preview;
    const themeStyleSheet = this.#preview.getThemeStyleSheet(draft);
    return {
      draft,
      previewResult: result,
      messages,
      openEntries,
      themeStyleSheet,
      ...this.viewOptions,
      organization: getOrganizationPath(draft),
      form: getFormPath(draft),
      fieldLabels: new Map(),
      problems:
        result && 'problems' in result
          ? result.problems.filter((problem) => this.#isProblemVisible(problem))
          : [],
      endpointProblem: this.#findEndpointProblem(draft),
      contrastWarnings: listContrastWarnings(
        createColorPalette(draft.appearance, themeStyleSheet, this.#sampleElement),
      ),
      setValue: (path, value) => this.#setConfigurationValue(path, value),
      addEntry: (list, entry, firstField) => {
        const entries = getListAtPath(this.draft!.configuration, list);
        const path = `${list}.${entries.length}`;
        this.openEntries = new Set([...this.openEntries, path]);
        this.#focusNext = `${path}.${firstField}`;
        this.#setConfigurationValue(list, [...entries, entry]);
      },
      moveEntryUp: (list, index) => {
        this.#rearrangeList(list, (indexes) => moveItemUp(indexes, index));
        this.#focusNext = `${list}.${index - 1}-up`;
      },
      removeEntry: (list, index) => {
        this.#rearrangeList(list, (indexes) => indexes.toSpliced(index, 1));
        this.#focusNext = `${list}-add`;
      },
      toggleEntry: (entry, isOpen) => {
        this.openEntries = new Set(
          [...this.openEntries, entry].filter((open) => isOpen || open !== entry),
        );
      },
      changeDraft: (changes) => this.#setAndSaveDraft({ ...draft, ...changes }),
      changeView: (changes) => {
        this.viewOptions = { ...this.viewOptions, ...changes };
      },
    };
  }

  readonly #exportActions: ExportActions = {
    copyFile: (text) => void this.#validateBefore(() => void this.#copy('file', text)),
    downloadFile: (text, name) =>
      void this.#validateBefore(() =>
        downloadFile(new Blob([text], { type: 'application/json' }), name),
      ),
    copySnippet: (text) => {
      if (text !== undefined) return void this.#copy('snippet', text);
      this.#markTouched(['endpoint']);
      this.#focusAfterUpdate('endpoint');
    },
    markTouched: (event) => this.#markFieldTouched(event),
    focusField: (path) => this.#focusAfterUpdate(path),
  };

  /** Returns false for a problem in a field that is still empty or being filled in. */
  #isProblemVisible({ path }: PreviewProblem): boolean {
    const steps = path.split('.');
    const paths = steps.map((_step, index) => steps.slice(0, index + 1).join('.'));
    if (paths.some((candidate) => this.touchedFields.has(candidate))) return true;
    const control = paths
      .map((id) => this.querySelector<HTMLInputElement>(`:is(input, textarea)[id="${id}"]`))
      .find((element) => element !== null);
    return !control || (control.value !== '' && !control.matches(':focus'));
  }

  #findEndpointProblem({ endpoint }: Draft): string | undefined {
    const isFocused = this.querySelector('#endpoint:focus') !== null;
    return this.touchedFields.has('endpoint') || (endpoint !== '' && !isFocused)
      ? validateEndpoint(endpoint)
      : undefined;
  }

  async #copy(id: 'file' | 'snippet', text: string): Promise<void> {
    const textArea = this.querySelector<HTMLTextAreaElement>(`#${id}`)!;
    this.messages = { [id]: await copyText(text, textArea, `The ${id}`) };
  }

  #focusAfterUpdate(id: string): void {
    this.#focusNext = id;
    this.requestUpdate();
  }

  #setConfigurationValue(path: ConfigPath, value: Json | undefined): void {
    const draft = this.draft!;
    const configuration = replaceValueAtPath(draft.configuration, path, value);
    this.#setAndSaveDraft({ ...draft, configuration });
  }

  /** Moves or removes entries of a list. `rearrange` receives and returns their indexes. */
  #rearrangeList(
    list: ConfigPath,
    rearrange: (indexes: readonly number[]) => readonly number[],
  ): void {
    const entries = getListAtPath(this.draft!.configuration, list);
    const order = rearrange([...entries.keys()]);
    this.openEntries = reorderPaths(this.openEntries, list, order);
    this.touchedFields = reorderPaths(this.touchedFields, list, order);
    this.#setConfigurationValue(
      list,
      order.map((index) => entries[index]!),
    );
  }

  #setAndSaveDraft(draft: Draft): void {
    this.draft = draft;
    this.messages = {};
    saveDraft(draft);
    clearTimeout(this.#debounceTimer);
    this.#debounceTimer = setTimeout(() => void this.#refreshPreview(), DEBOUNCE);
  }

  #replaceDraft(draft: Draft, { showsAllProblems }: { readonly showsAllProblems: boolean }): void {
    this.previousDraft = this.draft;
    this.touchedFields = new Set();
    this.openEntries = new Set();
    this.#preview.removeForm();
    this.#showsAllProblems = showsAllProblems;
    this.#setAndSaveDraft(draft);
    clearTimeout(this.#debounceTimer);
    void this.#refreshPreview();
  }

  async #startFromServerConfiguration(): Promise<void> {
    const response = await fetch('/builder/configuration').catch(() => undefined);
    if (!response?.ok) {
      this.messages = { sourceError: 'Cannot load the server’s configuration. Reload the page.' };
      return;
    }
    const configuration = (await response.json()) as Json;
    this.#replaceDraft({ ...NEW_DRAFT, configuration }, { showsAllProblems: true });
  }

  async #openFile(file: File): Promise<void> {
    try {
      this.#replaceDraft(
        {
          ...NEW_DRAFT,
          endpoint: this.draft!.endpoint,
          appearance: this.draft!.appearance,
          configuration: parseDraft(await file.text()),
        },
        { showsAllProblems: true },
      );
      this.messages = { source: `Editing ${file.name}.` };
    } catch (error) {
      this.messages = { sourceError: (error as Error).message };
    }
  }

  async #refreshPreview(): Promise<PreviewResult | undefined> {
    const result = await this.#preview.refresh(this.draft!, this.csrf);
    if (!result || 'errorMessage' in result) return result;
    if ('problems' in result && this.#showsAllProblems) this.#showAllProblems(result.problems);
    this.#showsAllProblems = false;
    return result;
  }

  #showAllProblems(problems: readonly PreviewProblem[]): void {
    this.#markTouched(problems.map(({ path }) => path));
  }

  #markTouched(paths: readonly ConfigPath[]): void {
    this.touchedFields = new Set([...this.touchedFields, ...paths]);
  }

  async #validateBefore(action: () => void): Promise<void> {
    clearTimeout(this.#debounceTimer);
    let result;
    do result = await this.#refreshPreview();
    while (!result);
    if ('definition' in result) return action();
    if ('problems' in result) this.#showAllProblems(result.problems);
    this.#focusAfterUpdate('problems');
  }

  readonly #markFieldTouched = ({ target, relatedTarget }: FocusEvent): void => {
    const { id } = target as HTMLElement;
    if (id === '' || this.touchedFields.has(id)) return;
    runWhenReleased(this, relatedTarget !== null, () => this.#markTouched([id]));
  };
}

function unfoldSectionsAround(element: HTMLElement | null): void {
  const details = element?.closest('details');
  if (!details) return;
  details.open = true;
  unfoldSectionsAround(details.parentElement);
}
