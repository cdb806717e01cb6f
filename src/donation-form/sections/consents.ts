import { html, nothing, type TemplateResult } from 'lit';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderOptionalCheckbox } from './optional-field-controls.ts';

/** Renders the consent checkboxes. No checkbox is checked by default. */
export function renderConsents(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { consents } = view.context.definition;
  if (consents.length === 0) return nothing;
  return html`
    <fieldset part="consents">
      <legend class="visually-hidden">${texts.consents}</legend>
      ${consents.map(({ id, text, required }) =>
        renderOptionalCheckbox(view, `consent.${id}`, text, { isRequired: required, value: text }),
      )}
    </fieldset>`;
}
