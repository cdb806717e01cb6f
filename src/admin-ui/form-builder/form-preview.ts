import type { LitElement } from 'lit';
import type { Language } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { runWhenReleased } from '@donation-form/donation-form/internal';
import { buildStyleSheet, type Theme } from './appearance.ts';
import type { ConfigPath } from './config-path.ts';
import type { Scheme } from './contrast.ts';
import type { Draft } from './draft.ts';

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
  result: PreviewResult | undefined;
  readonly #host: LitElement;
  #lastValidForm: Pick<PreviewMessage, 'definition' | 'language'> | undefined;
  #theme: { readonly name: Theme; readonly text: string } | undefined;
  #requestCount = 0;

  constructor(host: LitElement) {
    this.#host = host;
  }

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

  async loadTheme({ appearance: { theme: name } }: Draft): Promise<void> {
    if (!name || this.#theme?.name === name) return;
    const response = await fetch(`/builder/themes/${name}.css`).catch(() => undefined);
    if (!response?.ok) return;
    this.#theme = { name, text: await response.text() };
    this.#host.requestUpdate();
  }

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

/** A configuration error that would prevent a server from starting. */
export interface PreviewProblem {
  /** Path of the field. Empty if the error does not concern a field. */
  readonly path: ConfigPath;
  readonly message: string;
}

export type PreviewResult =
  | { readonly definition: FormDefinition }
  | { readonly problems: readonly PreviewProblem[] }
  | { readonly errorMessage: string; readonly isSignedOut?: true };

/** Sends the draft to the server for the same validation that a configuration gets at startup. */
async function fetchPreview(
  { configuration, organization, form, language }: Draft,
  csrf: string,
): Promise<PreviewResult> {
  const body = JSON.stringify({ csrf, configuration, organization, form, language });
  const response = await fetch('/builder/definition', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  }).catch(() => undefined);
  if (!response)
    return {
      errorMessage:
        'Your changes are saved in this tab, but the server is not responding and could not check ' +
        'them. Change a field to try again.',
    };
  if (response.status === 401)
    return {
      errorMessage: 'Your session has expired. Your changes are saved in this tab.',
      isSignedOut: true,
    };
  const result = (await response.json().catch(() => ({}))) as { readonly message?: string };
  if (response.ok) return result as PreviewResult;
  return {
    errorMessage:
      result.message ??
      `The server returned status ${response.status}. Change a field to try again.`,
  };
}
