import { html, nothing, type TemplateResult } from 'lit';
import { isControlChecked } from '@donation-form/core/form-state';
import { MAX_ORGANIZATION_LENGTH } from '@donation-form/core/donor';
import { type OptionalFieldTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderOptionalCheckbox, renderOptionalTextField } from './optional-field-controls.ts';

export function renderOrganizationFields(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  if (!view.context.definition.allowOrganizations) return nothing;
  return html`
    ${renderOptionalCheckbox(view, 'organization.enabled', texts.givingAsOrganization)}
    ${
      isControlChecked(view.state.optionalFields, 'organization.enabled')
        ? renderOptionalTextField(view, {
            control: 'organization.name',
            label: texts.organizationName,
            isRequired: true,
            autocomplete: 'organization',
            maxLength: MAX_ORGANIZATION_LENGTH,
          })
        : nothing
    }`;
}

export function renderAnonymousCheckbox(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const {
    allowAnonymous,
    organization: { name },
  } = view.context.definition;
  return allowAnonymous
    ? renderOptionalCheckbox(view, 'gift.anonymous', texts.anonymous, {
        hint: fillPlaceholders(texts.anonymousHint, { organization: name }),
      })
    : nothing;
}
