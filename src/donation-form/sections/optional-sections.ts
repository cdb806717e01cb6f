/** Sections that only some forms have. Loaded before such a form appears. */
import { html, nothing, type TemplateResult } from 'lit';
import {
  describeAnonymity,
  describeConsents,
  describeCustomField,
  describeOrganization,
  describeTribute,
  type FieldError,
  type FormValues,
  getInitialOptionalValues,
  getOptionalErrorMessage,
  getSelectedOffer,
  getTributeKind,
  isControlChecked,
  isOfflinePayment,
  isVisibleCustomField,
  validateOptionalFields,
} from '@donation-form/core/form-state';
import type { EntryTexts } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import {
  resolveOptionalSettings,
  type SettingCandidate,
  SettingResolver,
} from '@donation-form/core/settings';
import type { SubmitTexts, ValidatedForm, View } from '../form/view-model.ts';
import { toArray } from '../page/to-array.ts';
import { renderChoices, renderOptionalField } from './optional-field.ts';
import { getOptionalTexts } from './optional-texts.ts';

export { toOptionalRequestFields as toDonationFields } from '@donation-form/core/form-state';
export { renderGiftAid, renderGiftAidThanks } from './gift-aid.ts';
export { arrangeManyFrequencies } from './many-frequencies.ts';
export { renderMonthlyUpsell } from './monthly-upsell.ts';
export { optionalStyles } from './optional-styles.ts';
export { getPaymentRows, getSelectedRow, renderPaymentMethods } from './payment-methods.ts';
export { renderProjectSection } from './project.ts';

export function getInitialValues(
  definition: FormDefinition,
  candidates: readonly SettingCandidate[],
  decimalSeparator: string,
): FormValues {
  const settings = resolveOptionalSettings(new SettingResolver(candidates), definition);
  return getInitialOptionalValues(definition, settings, decimalSeparator);
}

export function renderCurrency({ texts, context }: View): TemplateResult | typeof nothing {
  const { definition, settings } = context;
  if (definition.currencies.length < 2) return nothing;
  return html`
    <p class="currency"><label for="currency">${texts.currency}</label> <span class="select"><select
      id="currency"
      name="currency"
      autocomplete="off"
    >
      ${definition.currencies.map(
        ({ code }) =>
          html`<option .value=${code} .selected=${code === settings.currency.code} .textContent=${code}></option>`,
      )}
    </select></span></p>`;
}

/** Renders the consent checkboxes. No checkbox is checked by default. */
export function renderConsents(view: View): TemplateResult | typeof nothing {
  const consents = describeConsents(view.context.definition);
  if (consents.length === 0) return nothing;
  return html`
    <fieldset part="consents">
      <legend class="visually-hidden">${getOptionalTexts(view).consents}</legend>
      ${consents.map((consent) => renderOptionalField(view, consent))}
    </fieldset>`;
}

/** Returns `undefined` unless the payment is offline. */
export function getOfflineTexts(view: View): SubmitTexts | undefined {
  const { giveOffline, offlineRecipientNote } = getOptionalTexts(view);
  return isOfflinePayment(getSelectedOffer(view.state, view.context.definition))
    ? { give: giveOffline, giveWithoutAmount: giveOffline, recipientNote: offlineRecipientNote }
    : undefined;
}

export function renderOrganization(view: View): readonly TemplateResult[] {
  const { context, state } = view;
  if (!context.definition.allowOrganizations) return [];
  const { enabled, name } = describeOrganization(getOptionalTexts(view));
  const isOrganization = isControlChecked(state.optionalFields, enabled.control);
  const fields = isOrganization ? [enabled, name] : [enabled];
  return fields.map((field) => renderOptionalField(view, field));
}

export function renderDonorExtras(view: View): readonly TemplateResult[] {
  const { definition } = view.context;
  const { allowAnonymous, customFields } = definition;
  const texts = getOptionalTexts(view);
  const fields = [
    ...(allowAnonymous ? [describeAnonymity(definition, texts)] : []),
    ...customFields.filter(isVisibleCustomField).map((field) => describeCustomField(field, texts)),
  ];
  return fields.map((field) => renderOptionalField(view, field));
}

export function findErrors(form: ValidatedForm, submission: EntryTexts): FieldError[] {
  const { state, context, formatMoney, element } = form;
  const optionalFields = getOptionalTexts(form);
  const texts = { submission, optionalFields };
  const problems = validateOptionalFields(state, context!).map((problem) => ({
    control: problem.control,
    message: getOptionalErrorMessage(problem, { state, context: context! }, formatMoney, texts),
  }));
  const incompleteDates = findIncompleteDates(element).map((control) => ({
    control,
    message: optionalFields.dateInvalid,
  }));
  return [
    ...incompleteDates,
    ...problems.filter(({ control }) => !incompleteDates.some((date) => date.control === control)),
  ];
}

function findIncompleteDates({ shadowRoot }: HTMLElement): string[] {
  return toArray(shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]'))
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => name);
}

export function renderTribute(view: View): TemplateResult | typeof nothing {
  const { definition } = view.context;
  if (!definition.allowTribute) return nothing;
  const fields = describeTribute(definition, getOptionalTexts(view));
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
            ${renderOptionalField(view, fields.name)}
          </div>
          ${renderOptionalField(view, fields.notify)}
          ${renderOptionalField(view, fields.message)}`
            : nothing
        }
      </div>
    </fieldset>`;
}
