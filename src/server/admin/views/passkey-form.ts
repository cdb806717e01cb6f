import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import { renderCsrfField } from './layout.ts';

interface PasskeyForm {
  readonly action: string;
  readonly csrf: string;
  /** Name of the field for the browser's response, which also says what the browser does. */
  readonly field: 'registration' | 'passkey';
  /** Path that returns the options of the ceremony. */
  readonly optionsPath: string;
  readonly button: string;
  readonly isPrimary?: boolean;
  /** Other fields. */
  readonly fields?: Html | readonly Html[];
}

/** Loads the script that shows the passkeys' forms, which are hidden without it. */
export const PASSKEY_SCRIPT = html`<script type="module" src="/pages/passkeys.js"></script>`;

/** Renders a form that the passkeys' script submits with the browser's response. */
export function renderPasskeyForm({
  action,
  csrf,
  field,
  optionsPath,
  button,
  isPrimary = true,
  fields = [],
}: PasskeyForm): Html {
  return html`<form method="post" action="${action}" data-passkey="${field}" data-options="${optionsPath}" hidden>
${renderCsrfField(csrf)}<input type="hidden" name="${field}">
${fields}
<button${isPrimary ? html` class="primary"` : ''}>${button}</button>
<p class="error" role="alert"></p>
</form>`;
}

export function renderHiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}
