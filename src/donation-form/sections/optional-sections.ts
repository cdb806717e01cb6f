/** Sections that only some forms have. Loaded before such a form appears. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { PaymentMethodType } from '@donation-form/core/donation';
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
  PROVIDER_CONTROL,
  validateOptionalFields,
} from '@donation-form/core/form-state';
import type { EntryTexts, OptionalFieldTexts } from '@donation-form/core/i18n';
import type { FormDefinition, PaymentOffer } from '@donation-form/core/schemas';
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
export { renderMonthlyUpsell } from './monthly-upsell.ts';
export { optionalStyles } from './optional-styles.ts';
export { renderProjectSection } from './project.ts';

export function getInitialValues(
  definition: FormDefinition,
  candidates: readonly SettingCandidate[],
  decimalSeparator: string,
): FormValues {
  const settings = resolveOptionalSettings(new SettingResolver(candidates), definition);
  return getInitialOptionalValues(definition, settings, decimalSeparator);
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

const CARD = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3 10h18M6.5 14.5h3"/>`;
const BANK = svg`<path d="M3.5 9.5 12 4.5l8.5 5zM6 12.5v4M10 12.5v4M14 12.5v4M18 12.5v4M3.5 19.5h17"/>`;
const WALLET = svg`<path d="M19.5 8V6.5A1.5 1.5 0 0 0 18 5H5.5A2.5 2.5 0 0 0 3 7.5v9A2.5 2.5 0 0 0 5.5 19h13a2 2 0 0 0 2-2V9.5a1.5 1.5 0 0 0-1.5-1.5H5.5A2.5 2.5 0 0 1 3 7.5M16.5 13.5h.01"/>`;
const LETTER = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3.5 7.5l8.5 6 8.5-6"/>`;

/** Renders the providers with the payment field below the selected one, or only the field. */
export function renderProviders(view: View, field: TemplateResult): TemplateResult {
  const { context, state } = view;
  const { definition } = context;
  const { payments } = definition;
  const texts = getOptionalTexts(view);
  const selected = getSelectedOffer(state, definition);
  const instructions = isOfflinePayment(selected) && selected.options.instructions;
  const details = html`${
    instructions ? html`<p class="instructions" .textContent=${instructions}></p>` : nothing
  }${field}`;
  if (payments.length < 2) return details;
  return html`
    <fieldset class="providers">
      <legend class="visually-hidden">${texts.paymentMethod}</legend>
      ${payments.map(
        (payment) => html`
        <div class="check provider ${payment === selected ? 'selected' : ''}">
          <label><input
            type="radio"
            name=${PROVIDER_CONTROL}
            .value=${payment.provider}
            .checked=${payment === selected}
          ><bdi .textContent=${payment.label ?? getDefaultMethodLabel(payment, texts)}></bdi>${getProviderIcon(payment)}</label>
          ${payment === selected ? html`<div class="details">${details}</div>` : nothing}
        </div>`,
      )}
    </fieldset>`;
}

function getDefaultMethodLabel(
  { methods }: PaymentOffer,
  { paymentMethods }: OptionalFieldTexts,
): string {
  if (methods.includes(PaymentMethodType.CreditCard)) return paymentMethods.card;
  return methods.includes(PaymentMethodType.ACH) ? paymentMethods.bank : paymentMethods.other;
}

function getProviderIcon({ methods }: PaymentOffer): TemplateResult {
  return html`<svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true">${selectIconDrawing(methods)}</svg>`;
}

function selectIconDrawing(methods: PaymentOffer['methods']): SVGTemplateResult {
  if (methods.length === 0) return LETTER;
  if (methods.includes(PaymentMethodType.CreditCard)) return CARD;
  return methods.includes(PaymentMethodType.ACH) ? BANK : WALLET;
}
