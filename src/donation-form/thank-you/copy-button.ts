import { html, type TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';

const CONFIRMATION_TIME = 3_000;

/** Announces a copy, or asks the donor to copy the selected text. */
export const copyStatus = html`<p class="hint copy-status" role="status"></p>`;

/** Copies the text of the element before the button. @param labelId ID of the text's label. */
export function renderCopyButton(labelId: string, texts: SubmissionTexts): TemplateResult {
  return html`<button
    class="link copy"
    type="button"
    id="copy-${labelId}"
    aria-labelledby="copy-${labelId} ${labelId}"
    .textContent=${texts.copy}
    @click=${({ currentTarget }: Event) => copyPreviousText(currentTarget as HTMLElement, texts)}
  ></button>`;
}

async function copyPreviousText(button: HTMLElement, texts: SubmissionTexts): Promise<void> {
  const element = button.previousElementSibling!;
  const status = button.closest('#receipt')!.querySelector('.copy-status')!;
  if (!(await copyText(element.textContent))) {
    getSelection()?.selectAllChildren(element);
    status.textContent = texts.copyManually;
    return;
  }
  status.textContent = button.textContent = texts.copied;
  setTimeout(() => {
    button.textContent = texts.copy;
    status.textContent = '';
  }, CONFIRMATION_TIME);
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
