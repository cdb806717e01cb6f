/** Who gives, where that may be an organisation or somebody who does not want to be named. */
import { html, nothing, type TemplateResult } from 'lit';
import { isTicked } from '../state/form-values.ts';
import { ORGANIZATION_LENGTH } from '@donation-form/core/donor';
import { type MoreTexts, fill } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { box, textField } from './fields.ts';

export function organizationFields(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  if (!view.context.definition.allowOrganizations) return nothing;
  return html`
    ${box(view, 'organization.is', texts.organization)}
    ${isTicked(view.state.more, 'organization.is') ? textField(view, { control: 'organization.name', label: texts.organizationName, isRequired: true, autocomplete: 'organization', maxLength: ORGANIZATION_LENGTH }) : nothing}`;
}

export function anonymityBox(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  const {
    allowAnonymous,
    organization: { name },
  } = view.context.definition;
  return allowAnonymous
    ? box(view, 'gift.anonymous', texts.anonymous, {
        hint: fill(texts.anonymousHint, { organization: name }),
      })
    : nothing;
}
