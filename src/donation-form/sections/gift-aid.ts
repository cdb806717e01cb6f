import { html, nothing, type TemplateResult } from 'lit';
import { addGiftAid } from '@donation-form/core/donation';
import { describeGiftAid, getGiftAidScope, isGiftAidOffered } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderOptionalField } from './optional-field.ts';
import { getOptionalTexts } from './optional-texts.ts';

/** Renders the checkbox of the declaration, which is unchecked by default. */
export function renderGiftAid(view: View): TemplateResult | typeof nothing {
  const { context, state, totals, formatMoney } = view;
  if (!isGiftAidOffered(state, context)) return nothing;
  const texts = getOptionalTexts(view);
  const { declared, ...fields } = describeGiftAid(texts);
  const hint =
    totals &&
    fillPlaceholders(texts.giftAidBoost, {
      amount: formatMoney(totals.total),
      boosted: formatMoney(addGiftAid(totals.total)),
    });
  return html`
    <fieldset class="gift-aid">
      <legend>${texts.giftAid}</legend>
      <div class="fields">
        ${renderOptionalField(view, { ...declared, hint })}
        ${renderDeclaration(view, fields)}
      </div>
    </fieldset>`;
}

/** A donor who gives once chooses between this donation and all donations. */
function renderDeclaration(
  view: View,
  { scope, house, postcode }: Omit<ReturnType<typeof describeGiftAid>, 'declared'>,
): TemplateResult | typeof nothing {
  const { context, state } = view;
  const selected = getGiftAidScope(state, context);
  if (!selected) return nothing;
  const { language, [selected]: declaration } = context.definition.giftAid!;
  return html`
    ${state.frequency === 'once' ? renderOptionalField(view, scope, [selected]) : nothing}
    <p class="field" lang=${language} dir="auto">${declaration}</p>
    <p class="field hint">${getOptionalTexts(view).giftAidAddress}</p>
    ${renderOptionalField(view, house)}${renderOptionalField(view, postcode)}`;
}
