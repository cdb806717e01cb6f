import { html, nothing, type TemplateResult } from 'lit';
import { tributeKind } from '../state/optional-fields.ts';
import { COMMENT_LENGTH, DONOR_FIELD_LENGTHS } from '@donation-form/core/donor';
import { TRIBUTE_KINDS, TRIBUTE_NAME_LENGTH } from '@donation-form/core/donation';
import type { MoreTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { radios, textField } from './fields.ts';

/** In whose honour or memory a gift is given, and who is told of it. */
export function tributeSection(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  if (!view.context.definition.allowTribute) return nothing;
  const kind = tributeKind(view.state, view.context.definition);
  return html`
    <fieldset part="tribute">
      <legend>${texts.tribute}</legend>
      <div class="fields">
        ${radios(
          'tribute.kind',
          (['none', ...TRIBUTE_KINDS] as const).map((value) => ({
            value,
            label: texts.tributeKinds[value],
          })),
          kind ?? 'none',
          { isRow: true },
        )}
        ${
          kind
            ? html`
          ${textField(view, { control: 'tribute.name', label: texts.tributeName, isRequired: true, maxLength: TRIBUTE_NAME_LENGTH })}
          ${textField(view, { control: 'tribute.notify', label: texts.tributeNotify, hint: texts.tributeNotifyHint, type: 'email', maxLength: DONOR_FIELD_LENGTHS.email })}
          ${textField(view, { control: 'tribute.message', label: texts.tributeMessage, isLong: true, maxLength: COMMENT_LENGTH })}`
            : nothing
        }
      </div>
    </fieldset>`;
}
