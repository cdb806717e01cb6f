import type { LitElement } from 'lit';
import type { Language } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { runWhenReleased } from '@donation-form/donation-form/internal';
import { buildStyleSheet, type Theme } from './appearance.ts';
import type { Scheme } from './contrast.ts';
import type { Draft } from './draft.ts';
import { fetchPreview, type PreviewResult } from './fetch-preview.ts';

/** Message from the form builder to its preview frame. */
export interface PreviewMessage {
  readonly definition: FormDefinition;
  readonly language: Language;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly scheme: Scheme;
}

/** Validates drafts on the server, and shows the last valid form in the element's frame. */
export class FormPreview {
  /** The server's response to the latest draft. */
  result: PreviewResult | undefined;
  readonly #host: LitElement;
  #lastValidForm: Pick<PreviewMessage, 'definition' | 'language'> | undefined;
  #theme: { readonly name: Theme; readonly text: string } | undefined;
  #requestCount = 0;

  constructor(host: LitElement) {
    this.#host = host;
  }

  /** True after a draft has been valid at least once. */
  get hasForm(): boolean {
    return this.#lastValidForm !== undefined;
  }

  removeForm(): void {
    this.#lastValidForm = undefined;
  }

  getThemeStyleSheet({ appearance }: Draft): string {
    return this.#theme && this.#theme.name === appearance.theme ? this.#theme.text : '';
  }

  /** Validates a draft. Returns `undefined` if a later call has superseded this one. */
  async refresh(draft: Draft, csrf: string): Promise<PreviewResult | undefined> {
    const requestNumber = (this.#requestCount += 1);
    const result = await fetchPreview(draft, csrf);
    await new Promise<void>((resolve) => runWhenReleased(this.#host, false, resolve));
    const isOutdated = requestNumber !== this.#requestCount;
    if (isOutdated) return undefined;
    this.result = result;
    if ('definition' in result)
      this.#lastValidForm = { definition: result.definition, language: draft.language };
    this.#host.requestUpdate();
    return result;
  }

  /** Loads the draft's theme, unless it is the loaded one. */
  async loadTheme({ appearance: { theme: name } }: Draft): Promise<void> {
    if (!name || this.#theme?.name === name) return;
    const response = await fetch(`/builder/themes/${name}.css`).catch(() => undefined);
    if (!response?.ok) return;
    this.#theme = { name, text: await response.text() };
    this.#host.requestUpdate();
  }

  /** Shows the last valid form in the colors of the draft. */
  showForm(draft: Draft, scheme: Scheme): void {
    const frame = this.#host.querySelector('iframe')?.contentWindow;
    if (!this.#lastValidForm || !frame) return;
    const message: PreviewMessage = {
      ...this.#lastValidForm,
      scheme,
      theme: draft.appearance.theme,
      styleSheet: buildStyleSheet(draft.appearance, this.getThemeStyleSheet(draft)),
    };
    frame.postMessage(message, location.origin);
  }
}
