/**
 * Where each setting of a form came from, for people who make campaign links and pages. Loaded only
 * when it is asked for.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import type {
  IgnoreReason,
  Layer,
  Explained,
  Explanation,
  FoundValue,
  SettingNote,
  Unread,
} from '@donation-form/core/settings';

const LAYERS: Readonly<Record<Layer, string>> = {
  definition: 'the form itself',
  element: 'the element',
  global: 'the page’s settings',
  landing: 'an earlier address of this visit',
  url: 'the address',
};
const REASONS: Readonly<Record<IgnoreReason, string>> = {
  empty: 'it is empty',
  'merge-tag': 'the mailer did not fill in this merge tag',
  invalid: 'it cannot be read',
  'too-long': 'it is too long',
  'out-of-range': 'it is below the minimum or above the maximum',
  'not-offered': 'this form does not offer it',
  repeated: 'the first one counts',
  beaten: 'a stronger value counts',
};
const NOTES: Readonly<Record<SettingNote, string>> = {
  'deprecated-name': 'this name is deprecated; use projectCodeOverride',
  'other-word': 'understood; the specification’s words are once, monthly, quarterly and annually',
};

/** How many characters of a value are shown. */
const LONGEST = 200;

export const debugStyles = css`
.debug { margin-top: var(--gap); padding: 1em; border: 1px dashed var(--line); border-radius: var(--radius); font-size: .875em; text-align: start; overflow-wrap: anywhere }
.debug h2 { margin: 0; font-size: 1.125em }
.debug dl { margin: .75em 0 0 }
.debug dt { margin-top: .75em; font-weight: 650 }
.debug dd { margin: .125em 0 0 }
.debug .hint { font-size: 1em }
.debug code { font-size: .9375em }
.lost { color: var(--danger) }
`;

export function debugPanel({ settings, unread }: Explanation): TemplateResult {
  return html`
    <section class="debug" part="debug" aria-label="Where the settings came from">
      <h2>Where the settings came from</h2>
      <p class="hint">Only this page shows this. What is not listed is as the form’s definition has it; what the donor enters is stronger than all of it.</p>
      ${settings.length + unread.length === 0 ? html`<p>Nothing was set from outside.</p>` : html`<dl>${settings.map(settingLines)}${unread.map(unreadLine)}</dl>`}
    </section>`;
}

function settingLines({ setting, decided, beaten, ignored }: Explained): TemplateResult {
  return html`
    <dt>${setting}</dt>
    ${decided ? html`<dd><strong>${written(decided.value)}</strong> ${place(decided)}${decided.note ? ` (${NOTES[decided.note]})` : nothing}</dd>` : nothing}
    ${beaten.map((value) => html`<dd class="hint"><strong>${written(value.value)}</strong> ${place(value)}, is weaker</dd>`)}
    ${ignored.map((value) => html`<dd class="lost"><strong>${written(value.value)}</strong> ${place(value)}, is ignored: ${REASONS[value.reason]}</dd>`)}`;
}

function unreadLine({ layer, name, reason, meant }: Unread): TemplateResult {
  return html`<dt><code>${name}</code></dt><dd class="hint">in ${LAYERS[layer]}: ${reason === 'unknown' ? 'nothing reads this name' : 'something else is expected here'}${meant ? html`; did you mean <strong>${meant}</strong>?` : nothing}</dd>`;
}

function place({ layer, name }: FoundValue): TemplateResult {
  return html`from ${LAYERS[layer]}, as <code>${name}</code>`;
}

function written(value: unknown): string {
  try {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  } catch {
    return 'something that cannot be shown';
  }
}
