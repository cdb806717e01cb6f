import { html, nothing, type TemplateResult } from 'lit';
import { addGiftAid } from '@donation-form/core/donation';
import {
  describeGiftAid,
  type FormContext,
  getGiftAidScope,
  isGiftAidOffered,
} from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { DonationOutcome } from '@donation-form/core/schemas';
import type { ValidatedForm, View } from '../form/view-model.ts';
import { renderCheckbox, renderOptionalField } from './optional-field.ts';
import { getOptionalTexts } from './optional-texts.ts';

/** Renders the checkbox of the declaration, which is unchecked by default. */
export function renderGiftAid(view: View): TemplateResult | typeof nothing {
  const { context, state, totals, formatMoney } = view;
  if (!isGiftAidOffered(state, context)) return nothing;
  const texts = getOptionalTexts(view);
  const { declared, ...fields } = describeGiftAid(texts);
  const boost = totals && renderBoost(texts.giftAidBoost, totals.total, context, formatMoney);
  return html`
    <fieldset class="gift-aid">
      <legend>${texts.giftAid}</legend>
      <div class="fields">
        ${renderCheckbox(view, declared, boost)}
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
    <p class="declaration" lang=${language} dir="auto">${declaration}</p>
    <p class="field hint">${getOptionalTexts(view).giftAidAddress}</p>
    ${renderOptionalField(view, house)}${renderOptionalField(view, postcode)}`;
}

/** Renders what the donation is worth to the organization, if the donor declared Gift Aid. */
export function renderGiftAidThanks(
  form: ValidatedForm,
  { total, currency }: DonationOutcome['gift'],
): TemplateResult | typeof nothing {
  const { state, context, formatMoney } = form;
  if (!getGiftAidScope(state, context!)) return nothing;
  const { giftAidThanks } = getOptionalTexts(form);
  const boost = renderBoost(giftAidThanks, total, context!, (minor) =>
    formatMoney(minor, currency),
  );
  return html`<p>${boost}</p>`;
}

/** Emphasizes the amount with Gift Aid. */
function renderBoost(
  text: string,
  total: number,
  { definition }: FormContext,
  formatMoney: (minor: number) => string,
): TemplateResult {
  const values = { amount: formatMoney(total), organization: definition.organization.name };
  const boosted = html`<strong>${formatMoney(addGiftAid(total))}</strong>`;
  const [first, ...others] = text.split('{boosted}').map((part) => fillPlaceholders(part, values));
  return html`${first}${others.map((part) => html`${boosted}${part}`)}`;
}
