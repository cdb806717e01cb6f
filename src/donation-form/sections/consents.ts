import { html, nothing, type TemplateResult } from 'lit';
import type { MoreTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { box } from './fields.ts';

/** What the donor is asked to agree to. Nothing is ticked beforehand. */
export function consentsSection(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  const { consents } = view.context.definition;
  if (consents.length === 0) return nothing;
  return html`
    <fieldset part="consents">
      <legend class="unseen">${texts.consents}</legend>
      ${consents.map(({ id, words, required }) => box(view, `consent.${id}`, words, { isRequired: required, value: words }))}
    </fieldset>`;
}
