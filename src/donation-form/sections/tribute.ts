import { html, nothing, type TemplateResult } from 'lit';
import { getTributeKind } from '@donation-form/core/form-state';
import { MAX_COMMENT_LENGTH, MAX_DONOR_FIELD_LENGTHS } from '@donation-form/core/donor';
import { TRIBUTE_KINDS, MAX_TRIBUTE_NAME_LENGTH } from '@donation-form/core/donation';
import { fillPlaceholders, type OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderOptionalRadios, renderOptionalTextField } from './optional-field-controls.ts';

export function renderTribute(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { definition } = view.context;
  const { allowTribute, organization } = definition;
  if (!allowTribute) return nothing;
  const kind = getTributeKind(view.state, definition);
  return html`
    <fieldset part="tribute">
      <legend>${texts.tribute}</legend>
      <div class="fields">
        ${renderOptionalRadios(
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
          <div class="tribute">
            <span class="tribute-drawing">${view.illustrations?.tributeDrawings[kind]}</span>
            ${renderOptionalTextField(view, {
              control: 'tribute.name',
              label: texts.tributeName,
              isRequired: true,
              maxLength: MAX_TRIBUTE_NAME_LENGTH,
            })}
          </div>
          ${renderOptionalTextField(view, {
            control: 'tribute.notify',
            label: texts.tributeNotify,
            hint: fillPlaceholders(texts.tributeNotifyHint, { organization: organization.name }),
            type: 'email',
            maxLength: MAX_DONOR_FIELD_LENGTHS.email,
          })}
          ${renderOptionalTextField(view, {
            control: 'tribute.message',
            label: texts.tributeMessage,
            isLong: true,
            maxLength: MAX_COMMENT_LENGTH,
          })}`
            : nothing
        }
      </div>
    </fieldset>`;
}
