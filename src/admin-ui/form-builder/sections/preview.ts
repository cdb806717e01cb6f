import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '@donation-form/core/i18n';
import { renderProblem } from '../../messages.ts';
import { LANGUAGE_OPTIONS } from '../labels.ts';
import type { View } from '../view.ts';
import { renderSegmentedControl, renderSelect } from './fields.ts';

/**
 * Renders the preview and its controls.
 * @param hasForm true after the configuration has been valid at least once.
 */
export function renderPreviewCard(
  view: View,
  hasForm: boolean,
  onFrameLoad: () => void,
): TemplateResult {
  const { draft, scheme, isPhone, changeView, changeDraft } = view;
  return html`
    <section class="card" aria-labelledby="preview-title">
      <div class="toolbar">
        <h2 id="preview-title" tabindex="-1">Preview</h2>
        ${renderSegmentedControl({
          name: 'width',
          label: 'Width',
          selected: isPhone ? 'phone' : 'wide',
          options: [
            ['phone', 'Phone'],
            ['wide', 'Wide'],
          ],
          onSelect: (width) => changeView({ isPhone: width === 'phone' }),
        })}
        ${renderSegmentedControl({
          name: 'scheme',
          label: 'Color scheme',
          selected: scheme,
          options: [
            ['light', 'Light'],
            ['dark', 'Dark'],
          ],
          onSelect: (selected) => changeView({ scheme: selected }),
        })}
        ${renderSelect({
          id: 'preview-language',
          label: 'Language',
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
  { previewResult }: View,
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
