import { html, nothing, type TemplateResult } from 'lit';
import { describeTribute, getTributeKind } from '@donation-form/core/form-state';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderChoices, renderOptionalField } from './optional-field.ts';

export function renderTribute(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { definition } = view.context;
  if (!definition.allowTribute) return nothing;
  const fields = describeTribute(definition, texts);
  const kind = getTributeKind(view.state, definition);
  return html`
    <fieldset part="tribute">
      <legend>${fields.kind.label}</legend>
      <div class="fields">
        ${renderChoices(fields.kind, [kind ?? 'none'])}
        ${
          kind
            ? html`
          <div class="tribute">
            <span class="tribute-drawing">${view.illustrations?.tributeDrawings[kind]}</span>
            ${renderOptionalField(view, texts, fields.name)}
          </div>
          ${renderOptionalField(view, texts, fields.notify)}
          ${renderOptionalField(view, texts, fields.message)}`
            : nothing
        }
      </div>
    </fieldset>`;
}
