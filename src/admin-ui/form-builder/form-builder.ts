import { LitElement, html, type PropertyValues, type TemplateResult } from 'lit';
import { copyText } from '../copy-text.ts';
import { saveFile } from '../save-file.ts';
import { pageStyles } from '../styles.ts';
import { poorContrasts } from './contrast.ts';
import { askDefinition, type Answer, type Problem } from './definition.ts';
import {
  EMPTY_DRAFT,
  formOf,
  keepDraft,
  keptDraft,
  organizationOf,
  readFile,
  type Draft,
} from './draft.ts';
import { listAt, withValue, type Json, type Place } from './file.ts';
import { styleSheetOf, type Theme } from './look.ts';
import { paletteOf } from './palette.ts';
import { amountsGroup } from './sections/amounts.ts';
import { frequencyGroup } from './sections/frequencies.ts';
import { lookGroup } from './sections/look.ts';
import { organizationGroup } from './sections/organization.ts';
import { previewCard } from './sections/preview.ts';
import { projectsGroup } from './sections/projects.ts';
import { sourceCard } from './sections/source.ts';
import { takingSection, type Taking } from './sections/taking.ts';
import { textsGroup } from './sections/texts.ts';
import type { Shown } from './shown.ts';
import { endpointProblem } from './snippet.ts';
import { styles } from './styles.ts';
import type { View } from './view.ts';

/** How long typing has to rest before the server is asked, milliseconds. */
const REST = 400;

/** Where the parts of the page begin. */
const JUMPS = [
  ['source-title', 'Fields'],
  ['preview-title', 'Preview'],
  ['taking-title', 'File and snippet'],
] as const;

/**
 * Makes the configuration of a form and the snippet for its page, and shows the form.
 *
 * @attr csrf - what orders of this page carry
 */
export class FormBuilderElement extends LitElement {
  static override styles = [pageStyles, styles];
  static override properties = {
    csrf: {},
    draft: { state: true },
    earlier: { state: true },
    answer: { state: true },
    shown: { state: true },
    touched: { state: true },
    opened: { state: true },
    seen: { state: true },
    theme: { state: true },
    said: { state: true },
  };

  declare csrf: string;

  declare private draft: Draft | undefined;
  /** What another beginning took the place of. */
  declare private earlier: Draft | undefined;
  declare private answer: Answer | undefined;
  /** The form as it was last right. */
  declare private shown: Pick<Shown, 'definition' | 'language'> | undefined;
  /** Fields that were left once. */
  declare private touched: ReadonlySet<Place>;
  declare private opened: ReadonlySet<Place>;
  declare private seen: Pick<View, 'scheme' | 'isPhone' | 'part'>;
  declare private theme: { readonly name: Theme; readonly text: string } | undefined;
  declare private said: View['said'];

  readonly #probe = document.createElement('i');
  #rest: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** A file that was written before may be told all of its problems at once. */
  #tellsAll = false;
  #focusNext: Place | undefined;

  constructor() {
    super();
    this.csrf = '';
    this.touched = new Set();
    this.opened = new Set();
    this.seen = { scheme: 'light', isPhone: true, part: 'file' };
    this.said = {};
    this.#probe.hidden = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.renderRoot.append(this.#probe);
    const kept = keptDraft();
    if (this.draft) return;
    if (kept) this.#take(kept, true);
    else void this.#takeRunning();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#rest);
  }

  protected override render(): TemplateResult {
    const { draft } = this;
    if (!draft)
      return html`<p role="status" class="hint">${this.said.refused ?? 'The configuration is loading…'}</p>`;
    const view = this.#view(draft);
    const source = sourceCard(view, {
      open: (file) => void this.#open(file),
      takeRunning: () => void this.#takeRunning(),
      takeEmpty: () => this.#take(EMPTY_DRAFT, false),
      takeBack: this.earlier && (() => this.#take(this.earlier!, true)),
    });
    const groups = [
      organizationGroup,
      frequencyGroup,
      amountsGroup,
      projectsGroup,
      textsGroup,
      lookGroup,
    ].map((group) => group(view));
    return html`
      ${source}
      <div class="columns">
        <form novalidate @submit=${(event: Event) => event.preventDefault()} @focusout=${this.#leaveField}>${groups}</form>
        <div class="results">${previewCard(view, this.shown !== undefined, () => this.#tellPreview())}</div>
      </div>
      ${takingSection(view, this.#taking)}
      <nav class="jumps" aria-label="On this page">${JUMPS.map(([id, words]) => html`<a href="#${id}" @click=${(event: Event) => this.#jump(event, id)}>${words}</a>`)}</nav>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (['shown', 'draft', 'seen', 'theme'].some((name) => changed.has(name))) this.#tellPreview();
    if (changed.has('draft')) void this.#loadTheme();
    const next =
      this.#focusNext === undefined
        ? null
        : this.renderRoot.querySelector<HTMLElement>(`[id="${this.#focusNext}"]`);
    this.#focusNext = undefined;
    next?.focus();
  }

  #view(draft: Draft): View {
    const { answer, said, opened } = this;
    const theme = this.#themeText(draft);
    return {
      draft,
      answer,
      said,
      opened,
      theme,
      ...this.seen,
      organization: organizationOf(draft),
      form: formOf(draft),
      fields: new Map(),
      problems:
        answer && 'problems' in answer
          ? answer.problems.filter((problem) => this.#mayTell(problem))
          : [],
      endpointProblem: this.#endpointProblem(draft),
      poor: poorContrasts(paletteOf(draft.look, theme, this.#probe)),
      set: (place, value) => this.#write(place, value),
      add: (list, entry, first) => this.#add(list, entry, first),
      remove: (list, index) => {
        this.#write(`${list}.${index}`, undefined);
        this.#focusNext = `${list}-add`;
      },
      toggle: (entry, isOpen) => {
        this.opened = new Set([...this.opened, entry].filter((one) => isOpen || one !== entry));
      },
      change: (changes) => this.#change({ ...draft, ...changes }),
      see: (changes) => {
        this.seen = { ...this.seen, ...changes };
      },
    };
  }

  readonly #taking: Taking = {
    copyFile: (text) =>
      void this.#whenRight(
        () =>
          void copyText(text, this.#area('file'), 'The file').then((said) =>
            this.#say({ file: said }),
          ),
      ),
    saveFile: (text, name) =>
      void this.#whenRight(() => saveFile(new Blob([text], { type: 'application/json' }), name)),
    copySnippet: (text) => {
      if (text !== undefined)
        return void copyText(text, this.#area('snippet'), 'The snippet').then((said) =>
          this.#say({ snippet: said }),
        );
      this.#touch(['endpoint']);
      this.#focus('endpoint');
    },
    leave: (event) => this.#leaveField(event),
    lead: (place) => this.#focus(place),
  };

  #themeText({ look }: Draft): string {
    return this.theme && this.theme.name === look.theme ? this.theme.text : '';
  }

  /** What is still empty, or is being written for the first time, is not told to be wrong. */
  #mayTell({ at }: Problem): boolean {
    const around = at.split('.').map((_step, index, steps) => steps.slice(0, index + 1).join('.'));
    if (around.some((place) => this.touched.has(place))) return true;
    const control = around
      .map((place) =>
        this.renderRoot.querySelector<HTMLInputElement>(`:is(input, textarea)[id="${place}"]`),
      )
      .find((one) => one !== null);
    return !control || (control.value !== '' && !control.matches(':focus'));
  }

  #endpointProblem({ endpoint }: Draft): string | undefined {
    const isBeingWritten = this.renderRoot.querySelector('#endpoint:focus') !== null;
    return this.touched.has('endpoint') || (endpoint !== '' && !isBeingWritten)
      ? endpointProblem(endpoint)
      : undefined;
  }

  #area(id: string): HTMLTextAreaElement {
    return this.renderRoot.querySelector<HTMLTextAreaElement>(`#${id}`)!;
  }

  #focus(id: string): void {
    this.#focusNext = id;
    this.requestUpdate();
  }

  #jump(event: Event, id: string): void {
    event.preventDefault();
    this.#focus(id);
  }

  #say(said: View['said']): void {
    this.said = said;
  }

  #write(place: Place, value: Json | undefined): void {
    if (this.draft) this.#change({ ...this.draft, file: withValue(this.draft.file, place, value) });
  }

  #add(list: Place, entry: Json, first: Place): void {
    const entries = listAt(this.draft!.file, list);
    const place = `${list}.${entries.length}`;
    this.opened = new Set([...this.opened, place]);
    this.#focusNext = `${place}.${first}`;
    this.#write(list, [...entries, entry]);
  }

  #change(draft: Draft): void {
    this.draft = draft;
    this.said = {};
    keepDraft(draft);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#ask(), REST);
  }

  /**
   * Works on another draft.
   * @param isWritten it was written before, and is not to be filled in first.
   */
  #take(draft: Draft, isWritten: boolean): void {
    this.earlier = this.draft;
    this.touched = new Set();
    this.opened = new Set();
    this.shown = undefined;
    this.#tellsAll = isWritten;
    this.#change(draft);
    clearTimeout(this.#rest);
    void this.#ask();
  }

  async #takeRunning(): Promise<void> {
    const response = await fetch('/builder/configuration').catch(() => undefined);
    if (response?.ok) this.#take({ ...EMPTY_DRAFT, file: (await response.json()) as Json }, true);
    else this.#say({ refused: 'The server did not tell its configuration. Load this page again.' });
  }

  async #open(file: File): Promise<void> {
    try {
      this.#take(
        {
          ...EMPTY_DRAFT,
          endpoint: this.draft!.endpoint,
          look: this.draft!.look,
          file: readFile(await file.text()),
        },
        true,
      );
      this.#say({ source: `You work on ${file.name}.` });
    } catch (error) {
      this.#say({ refused: (error as Error).message });
    }
  }

  async #ask(): Promise<void> {
    const { draft } = this;
    const asked = (this.#asked += 1);
    if (!draft) return;
    const answer = await askDefinition(draft, this.csrf);
    if (asked !== this.#asked) return;
    this.answer = answer;
    if ('definition' in answer)
      this.shown = { definition: answer.definition, language: draft.language };
    if ('problems' in answer && this.#tellsAll) this.#tellAll(answer.problems);
    if (!('trouble' in answer)) this.#tellsAll = false;
  }

  #tellAll(problems: readonly Problem[]): void {
    this.#touch(problems.map(({ at }) => at));
  }

  #touch(places: readonly Place[]): void {
    this.touched = new Set([...this.touched, ...places]);
  }

  /**
   * Does something with the file where a server would start with it, and leads to what is wrong
   * otherwise.
   */
  async #whenRight(take: () => void): Promise<void> {
    clearTimeout(this.#rest);
    await this.#ask();
    const { answer } = this;
    if (answer && 'definition' in answer) return take();
    if (answer && 'problems' in answer) this.#tellAll(answer.problems);
    this.#focus('problems');
  }

  readonly #leaveField = ({ target }: FocusEvent): void => {
    const { id } = target as HTMLElement;
    if (id !== '' && !this.touched.has(id)) this.#touch([id]);
  };

  async #loadTheme(): Promise<void> {
    const name = this.draft?.look.theme;
    if (!name || this.theme?.name === name) return;
    const response = await fetch(`/builder/themes/${name}.css`).catch(() => undefined);
    if (response?.ok) this.theme = { name, text: await response.text() };
  }

  #tellPreview(): void {
    const {
      draft,
      shown,
      seen: { scheme },
    } = this;
    const frame = this.renderRoot.querySelector('iframe')?.contentWindow;
    if (!draft || !shown || !frame) return;
    const styleSheet = styleSheetOf(draft.look, this.#themeText(draft));
    frame.postMessage(
      { ...shown, scheme, theme: draft.look.theme, styleSheet } satisfies Shown,
      location.origin,
    );
  }
}
