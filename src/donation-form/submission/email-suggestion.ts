import { html, nothing, render } from 'lit';
import { cleanEmail, suggestEmail } from '@donation-form/core/donor';
import { FormEvent } from '../events/form-event.ts';

/** Without a live region before the content, screen readers do not announce the content. */
export function addSuggestionRegion(input: HTMLInputElement): void {
  const field = input.closest('.field');
  if (!field || findSuggestionRegion(input)) return;
  const region = document.createElement('div');
  Object.assign(region, { className: 'suggestion', role: 'status' });
  field.append(region);
  input.addEventListener('input', () => render(nothing, region));
}

/** @param text has the placeholder `{email}`. */
export function showSuggestion(input: HTMLInputElement, text: string): void {
  const region = findSuggestionRegion(input);
  const suggestion = suggestEmail(cleanEmail(input.value));
  if (!region || suggestion === undefined) return;
  const [before, after] = text.split('{email}');
  const accept = (): void => {
    input.value = suggestion;
    input.dispatchEvent(new FormEvent('input'));
    input.focus();
  };
  render(
    html`<button type="button" class="link" @click=${accept}>${before}<bdi>${suggestion}</bdi>${after}</button>`,
    region,
  );
}

function findSuggestionRegion(input: HTMLInputElement): HTMLElement | null {
  return input.closest('.field')?.querySelector<HTMLElement>('.suggestion') ?? null;
}
