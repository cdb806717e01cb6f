/** Panel with the source of each setting, or why the form is not available, for page authors. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { FormContext } from '@donation-form/core/form-state';
import {
  describeRecipient,
  type PageProblem,
  writeSupportRequest,
} from '@donation-form/core/page-diagnosis';
import {
  explainIgnoredValue,
  type Explanation,
  type FoundValue,
  type SettingExplanation,
  type SettingNote,
  type SettingSource,
  UNRECOGNIZED_LABELS,
  type UnrecognizedName,
} from '@donation-form/core/settings';
import { stringifyJson } from '../page/stringify-json.ts';

const SOURCE_LABELS: Readonly<Record<SettingSource, string>> = {
  definition: 'the form definition',
  element: 'the element',
  global: 'the page’s settings',
  landing: 'an earlier URL in this visit',
  url: 'the URL',
};
const NOTE_LABELS: Readonly<Record<SettingNote, string>> = {
  'deprecated-name': 'this name is deprecated; use projectCodeOverride',
  synonym: 'the value is a synonym; use once, monthly, quarterly, or annually instead',
};

const MAX_SHOWN_LENGTH = 200;

export const debugStyles = css`
.debug {
  margin-top: var(--gap); padding: 1em; border: 1px dashed var(--_donation-border);
  border-radius: var(--radius); font-size: .875em; text-align: start; overflow-wrap: anywhere
}
.debug h2 { margin: 0; font-size: 1.125em }
.debug dl { margin: .75em 0 0 }
.debug dt { margin-top: .75em; font-weight: 650 }
.debug dd { margin: .125em 0 0 }
.debug .hint { font-size: 1em }
.debug code { font-size: .9375em }
.debug pre { margin: .75em 0 0; font: inherit; white-space: pre-wrap; user-select: all }
.ignored { color: var(--_donation-danger) }
`;

export function renderDebugPanel(
  { settings, unrecognized }: Explanation,
  context: FormContext,
  mistakes: readonly string[],
): TemplateResult {
  return html`
    <section class="debug" part="debug" aria-label="Where the settings came from">
      <h2>Where the settings came from</h2>
      <p class="hint">Visible only with donation-form-debug in the URL or the debug attribute.
        Settings that are not listed come from the form definition. The donor’s input overrides all
        of them.</p>
      ${mistakes.map((mistake) => html`<p class="ignored">${mistake}.</p>`)}
      ${
        settings.length + unrecognized.length === 0
          ? html`<p>All settings come from the form definition.</p>`
          : html`<dl>${settings.map((setting) => renderSetting(setting, context))}${unrecognized.map(renderUnrecognizedName)}</dl>`
      }
    </section>`;
}

export function renderProblemPanel(problem: PageProblem): TemplateResult {
  const { cause, headline, why, fix } = problem;
  return html`
    <section class="debug" part="debug" aria-label="Why the form is not available">
      <h2>Why the form is not available</h2>
      <p class="hint">Visible only with donation-form-debug in the URL or the debug attribute.</p>
      <p><code>${cause}</code>: ${headline} ${why}</p>
      <p><strong>What to do:</strong> ${fix}</p>
      <p>${describeRecipient(problem)}</p>
      <pre>${writeSupportRequest(problem, location.href)}</pre>
    </section>`;
}

function renderSetting(
  { setting, applied, overridden, ignored }: SettingExplanation,
  { definition, settings: { currency } }: FormContext,
): TemplateResult {
  return html`
    <dt>${setting}</dt>
    ${
      applied
        ? html`<dd><strong>${formatValue(applied.value)}</strong> ${renderValueSource(applied)}${
            applied.note ? ` (${NOTE_LABELS[applied.note]})` : nothing
          }</dd>`
        : nothing
    }
    ${overridden.map(
      (value) =>
        html`<dd class="hint"><strong>${formatValue(value.value)}</strong> ${renderValueSource(value)}, overridden</dd>`,
    )}
    ${ignored.map(
      (value) =>
        html`<dd class="ignored"><strong>${formatValue(value.value)}</strong> ${renderValueSource(value)}, ignored: ${explainIgnoredValue({ ...value, setting }, definition, currency)}</dd>`,
    )}`;
}

function renderUnrecognizedName(unrecognized: UnrecognizedName): TemplateResult {
  const { source, name, reason, suggestion } = unrecognized;
  return html`<dt><code>${name}</code></dt><dd class="hint">in ${SOURCE_LABELS[source]}: ${
    UNRECOGNIZED_LABELS[reason]
  }${suggestion ? html`; did you mean <strong>${suggestion}</strong>?` : nothing}</dd>`;
}

function renderValueSource({ source, name }: FoundValue): TemplateResult {
  return html`from ${SOURCE_LABELS[source]}, as <code>${name}</code>`;
}

function formatValue(value: unknown): string {
  try {
    const text = typeof value === 'string' ? value : stringifyJson(value);
    return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
  } catch {
    return 'a value that cannot be shown';
  }
}
