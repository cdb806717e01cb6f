import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Language } from '@donation-form/core/i18n';
import { renderProblem } from '../../field.ts';
import { LANGUAGE_OPTIONS } from '../labels.ts';
import type { BuilderView } from '../view.ts';
import { renderSelect } from './fields.ts';

export function renderPreviewCard(
  view: BuilderView,
  hasForm: boolean,
  onFrameLoad: () => void,
): TemplateResult {
  const { draft, scheme, isPhone, changeView, changeDraft } = view;
  return html`
    <section class="card" aria-labelledby="preview-title">
      <div class="toolbar">
        <h2 id="preview-title" tabindex="-1">Preview</h2>
        ${renderSegments(
          'Width',
          { phone: 'Phone', wide: 'Wide' },
          isPhone ? 'phone' : 'wide',
          (width) => changeView({ isPhone: width === 'phone' }),
        )}
        ${renderSegments('Color scheme', { light: 'Light', dark: 'Dark' }, scheme, (selected) =>
          changeView({ scheme: selected }),
        )}
        ${renderSelect('preview-language', 'Language', {
          selected: draft.language,
          options: LANGUAGE_OPTIONS,
          onSelect: (language) => changeDraft({ language: language as Language }),
        })}
      </div>
      <div role="status">${renderPreviewStatus(view, hasForm)}</div>
      <iframe class=${isPhone ? 'phone' : ''} ?hidden=${!hasForm}
        title="Preview of the donation form" src="/builder/preview" @load=${onFrameLoad}></iframe>
    </section>`;
}

function renderPreviewStatus(
  { previewResult }: BuilderView,
  hasForm: boolean,
): TemplateResult | typeof nothing {
  if (previewResult && 'errorMessage' in previewResult) {
    const { errorMessage, isSignedOut } = previewResult;
    const signInLink = isSignedOut ? html` <a href="/builder">Sign in</a>` : nothing;
    return renderProblem(html`${errorMessage}${signInLink}`);
  }
  if (previewResult && 'problems' in previewResult)
    return html`<p class="hint">${
      hasForm
        ? 'This is the last valid version. The preview updates when all fields are valid.'
        : 'The form appears here when all required fields are filled in and valid.'
    }</p>`;
  return nothing;
}

/** Renders radio buttons as a segmented control. */
function renderSegments<Value extends string>(
  label: string,
  options: Readonly<Record<Value, string>>,
  selected: Value,
  onSelect: (value: Value) => void,
): TemplateResult {
  return html`<fieldset class="segments"><legend class="visually-hidden">${label}</legend>${Object.entries(
    options,
  ).map(
    ([value, optionLabel]) => html`
    <label><input type="radio" name=${label} .checked=${live(value === selected)}
      @change=${() => onSelect(value as Value)}><span>${optionLabel}</span></label>`,
  )}</fieldset>`;
}
