import type { nothing, TemplateResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import {
  toOptionalRequestFields,
  validateOptionalFields,
  getInitialOptionalValues,
  type OptionalFieldError,
  calculateSplit,
  isOfflinePayment,
  getSelectedOffer,
  type FormValues,
} from '@donation-form/core/form-state';
import {
  resolveOptionalSettings,
  SettingResolver,
  type SettingCandidate,
} from '@donation-form/core/settings';
import {
  type SubmissionTexts,
  enOptionalFields,
  type OptionalFieldTexts,
  fillPlaceholders,
} from '@donation-form/core/i18n';
import type { AddressFields } from './address-fields.ts';
import { renderConsents } from './consents.ts';
import { renderCustomFields } from './custom-fields.ts';
import { renderAnonymousCheckbox, renderOrganizationFields } from './organization.ts';
import { renderMonthlyUpsell, type UpsellAnnouncement } from './monthly-upsell.ts';
import { renderProjectSection } from './project.ts';
import { renderTribute } from './tribute.ts';
import { renderProviders } from './providers.ts';
import type { SubmitTexts, ValidatedForm, FieldError, View } from '../form/view-model.ts';
import { toArray } from '../page/to-array.ts';

export { optionalStyles } from './optional-styles.ts';

/**
 * Renders and validates sections that only some forms have. Loaded before a form with any of these
 * sections appears.
 */
export class OptionalSections {
  readonly #texts: OptionalFieldTexts;
  readonly #upsellAnnouncement: UpsellAnnouncement = { first: undefined, isOver: false };
  readonly renderProjectSection = this.#addTexts(renderProjectSection);
  readonly renderTribute = this.#addTexts(renderTribute);
  readonly renderOrganization = this.#addTexts(renderOrganizationFields);
  readonly renderProviders = this.#addTexts(renderProviders);
  readonly renderConsents = this.#addTexts(renderConsents);
  readonly toDonationFields = toOptionalRequestFields;
  /** The address fields. Present if the form asks for the country. */
  readonly address: AddressFields | undefined;

  constructor(address: AddressFields | undefined, texts: OptionalFieldTexts = enOptionalFields) {
    this.#texts = texts;
    this.address = address;
  }

  /** Returns a function that renders a section with these texts. */
  #addTexts<Others extends unknown[], Result>(
    render: (view: View, texts: OptionalFieldTexts, ...others: Others) => Result,
  ): (view: View, ...others: Others) => Result {
    return (view, ...others) => render(view, this.#texts, ...others);
  }

  renderMonthlyUpsell(view: View): TemplateResult | typeof nothing {
    return renderMonthlyUpsell(view, this.#texts, this.#upsellAnnouncement);
  }

  renderDonorExtras(view: View): unknown {
    return [renderAnonymousCheckbox(view, this.#texts), renderCustomFields(view, this.#texts)];
  }

  /** Returns the initial values of the optional controls. */
  getInitialValues(
    definition: FormDefinition,
    candidates: readonly SettingCandidate[],
    decimalSeparator: string,
  ): FormValues {
    const settings = resolveOptionalSettings(new SettingResolver(candidates), definition);
    return getInitialOptionalValues(definition, settings, decimalSeparator);
  }

  /**
   * Returns the submit button's texts for an offline payment, or `undefined` for other payments.
   */
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
  /** Returns the errors in the optional controls and the address fields. */
  findErrors(form: ValidatedForm, submissionTexts: SubmissionTexts): FieldError[] {
    const problems = validateOptionalFields(form.state, form.context!).map((problem) => ({
      control: problem.control,
      message: this.#getErrorMessage(problem, form, submissionTexts),
    }));
    const incompleteDates = findIncompleteDates(form.element).map((control) => ({
      control,
      message: this.#texts.dateInvalid,
    }));
    return [
      ...(this.address?.findErrors(form.state) ?? []),
      ...incompleteDates,
      ...problems.filter(
        ({ control }) => !incompleteDates.some((date) => date.control === control),
      ),
    ];
  }

  #getErrorMessage(
    { control, code, field }: OptionalFieldError,
    { state, context, totals, formatMoney }: ValidatedForm,
    submissionTexts: SubmissionTexts,
  ): string {
    const texts = this.#texts;
    if (code === 'not-an-email') return submissionTexts.emailInvalid;
    if (control === 'split.projects') {
      const split = calculateSplit(state, context!, totals?.amount);
      return fillPlaceholders(
        (
          {
            missing: texts.splitRequired,
            'not-an-amount': texts.splitAmountInvalid,
            'wrong-total': texts.splitMismatch,
            'too-small': texts.splitTooSmall,
          } as Record<string, string>
        )[code]!,
        { sum: formatMoney(split?.total ?? 0), amount: formatMoney(totals?.amount ?? 0) },
      );
    }
    if (control === 'tribute.name') return texts.tributeNameRequired;
    if (control === 'organization.name') return texts.organizationNameRequired;
    if (control.startsWith('consent.')) return texts.consentRequired;
    if (code === 'not-a-number')
      return fillPlaceholders(texts.numberInvalid, { example: `12${context!.decimalSeparator}5` });
    if (code === 'not-a-whole-number') return texts.integerInvalid;
    if (code === 'not-a-date') return texts.dateInvalid;
    return code === 'not-a-link'
      ? texts.urlInvalid
      : fillPlaceholders(texts.fieldRequired, { field });
  }
}

/** Returns the names of date inputs with an incomplete or invalid date. */
function findIncompleteDates({ shadowRoot }: HTMLElement): string[] {
  return toArray(shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]'))
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => name);
}
