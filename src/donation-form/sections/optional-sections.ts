import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { PaymentMethodType } from '@donation-form/core/donation';
import {
  describeAnonymity,
  describeConsents,
  describeCustomField,
  describeOrganization,
  describeTribute,
  type Field,
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
  toOptionalRequestFields,
  validateOptionalFields,
} from '@donation-form/core/form-state';
import {
  enOptionalFields,
  type OptionalFieldTexts,
  type SubmissionTexts,
} from '@donation-form/core/i18n';
import type { FormDefinition, PaymentOffer } from '@donation-form/core/schemas';
import {
  resolveOptionalSettings,
  type SettingCandidate,
  SettingResolver,
} from '@donation-form/core/settings';
import type { SubmitTexts, ValidatedForm, View } from '../form/view-model.ts';
import { toArray } from '../page/to-array.ts';
import type { AddressFields } from './address-fields.ts';
import { renderMonthlyUpsell, type UpsellAnnouncement } from './monthly-upsell.ts';
import { renderChoices, renderOptionalField } from './optional-field.ts';
import { renderProjectSection } from './project.ts';

export { optionalStyles } from './optional-styles.ts';

/** Sections that only some forms have. Loaded before such a form appears. */
export class OptionalSections {
  readonly #texts: OptionalFieldTexts;
  readonly #upsellAnnouncement: UpsellAnnouncement = { first: undefined, isOver: false };
  readonly renderProjectSection = this.#addTexts(renderProjectSection);
  readonly renderTribute = this.#addTexts(renderTribute);
  readonly renderProviders = this.#addTexts(renderProviders);
  readonly toDonationFields = toOptionalRequestFields;
  /** Present if the form asks for the country. */
  readonly address: AddressFields | undefined;

  constructor(address: AddressFields | undefined, texts: OptionalFieldTexts = enOptionalFields) {
    this.#texts = texts;
    this.address = address;
  }

  #addTexts<Others extends unknown[], Result>(
    render: (view: View, texts: OptionalFieldTexts, ...others: Others) => Result,
  ): (view: View, ...others: Others) => Result {
    return (view, ...others) => render(view, this.#texts, ...others);
  }

  renderMonthlyUpsell(view: View): TemplateResult | typeof nothing {
    return renderMonthlyUpsell(view, this.#texts, this.#upsellAnnouncement);
  }

  getInitialValues(
    definition: FormDefinition,
    candidates: readonly SettingCandidate[],
    decimalSeparator: string,
  ): FormValues {
    const settings = resolveOptionalSettings(new SettingResolver(candidates), definition);
    return getInitialOptionalValues(definition, settings, decimalSeparator);
  }

  /** Renders the consent checkboxes. No checkbox is checked by default. */
  renderConsents(view: View): TemplateResult | typeof nothing {
    const consents = describeConsents(view.context.definition);
    if (consents.length === 0) return nothing;
    return html`
      <fieldset part="consents">
        <legend class="visually-hidden">${this.#texts.consents}</legend>
        ${consents.map((consent) => this.#renderField(view, consent))}
      </fieldset>`;
  }
  /** Returns `undefined` unless the payment is offline. */
  getOfflineTexts({ context: { definition }, state }: View): SubmitTexts | undefined {
    const { giveOffline, offlineRecipientNote } = this.#texts;
    return isOfflinePayment(getSelectedOffer(state, definition))
      ? {
          give: giveOffline,
          giveWithoutAmount: giveOffline,
          recipientNote: offlineRecipientNote,
        }
      : undefined;
  }
  renderOrganization(view: View): readonly TemplateResult[] {
    const { context, state } = view;
    if (!context.definition.allowOrganizations) return [];
    const { enabled, name } = describeOrganization(this.#texts);
    const isOrganization = isControlChecked(state.optionalFields, enabled.control);
    const fields = isOrganization ? [enabled, name] : [enabled];
    return fields.map((field) => this.#renderField(view, field));
  }
  renderDonorExtras(view: View): readonly TemplateResult[] {
    const { definition } = view.context;
    const { allowAnonymous, customFields } = definition;
    const fields = [
      ...(allowAnonymous ? [describeAnonymity(definition, this.#texts)] : []),
      ...customFields
        .filter(isVisibleCustomField)
        .map((field) => describeCustomField(field, this.#texts)),
    ];
    return fields.map((field) => this.#renderField(view, field));
  }

  #renderField(view: View, field: Field): TemplateResult {
    return renderOptionalField(view, this.#texts, field);
  }

  findErrors(
    { state, context, formatMoney, element }: ValidatedForm,
    submission: SubmissionTexts,
  ): FieldError[] {
    const texts = { submission, optionalFields: this.#texts };
    const problems = validateOptionalFields(state, context!).map((problem) => ({
      control: problem.control,
      message: getOptionalErrorMessage(problem, { state, context: context! }, formatMoney, texts),
    }));
    const incompleteDates = findIncompleteDates(element).map((control) => ({
      control,
      message: this.#texts.dateInvalid,
    }));
    return [
      ...(this.address?.findErrors(state) ?? []),
      ...incompleteDates,
      ...problems.filter(
        ({ control }) => !incompleteDates.some((date) => date.control === control),
      ),
    ];
  }
}

function findIncompleteDates({ shadowRoot }: HTMLElement): string[] {
  return toArray(shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]'))
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => name);
}

function renderTribute(view: View, texts: OptionalFieldTexts): TemplateResult | typeof nothing {
  const { definition } = view.context;
  if (!definition.allowTribute) return nothing;
  const fields = describeTribute(definition, texts);
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
            ${renderOptionalField(view, texts, fields.name)}
          </div>
          ${renderOptionalField(view, texts, fields.notify)}
          ${renderOptionalField(view, texts, fields.message)}`
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
function renderProviders(
  { context: { definition }, state }: View,
  texts: OptionalFieldTexts,
  field: TemplateResult,
): TemplateResult {
  const { payments } = definition;
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
