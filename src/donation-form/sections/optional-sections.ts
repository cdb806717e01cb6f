import { nothing, type TemplateResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { MoreOfGift } from '../state/to-donation-request.ts';
import { moreOfGift, moreProblemsOf, startOf, type MoreProblem } from '../state/optional-fields.ts';
import { splitOf } from '../state/split.ts';
import { isOffline, paymentOf } from '../state/payment-options.ts';
import type { Entries, FormState, FormContext } from '../state/form-state.ts';
import type { Candidate } from '@donation-form/core/settings';
import {
  english,
  type SendingTexts,
  enMore,
  type MoreTexts,
  fill,
  type Tables,
} from '@donation-form/core/i18n';
import type { Address } from './address-controller.ts';
import { consentsSection } from './consents.ts';
import { customFields } from './custom-fields.ts';
import { anonymityBox, organizationFields } from './organization.ts';
import { nudge } from './monthly-upsell.ts';
import { purposeSection } from './purpose.ts';
import { tributeSection } from './tribute.ts';
import { waysSection } from './payment-methods.ts';
import type { CheckedForm, FieldError, View } from '../form/view-model.ts';

export { optionalStyles } from './optional-styles.ts';

/**
 * What only some forms ask for. It is fetched with the definitions that name any of it, before the
 * form is shown.
 */
export class OptionalSections {
  readonly #texts: MoreTexts;
  /** Where the form asks for the country. */
  readonly address: Address | undefined;

  /** @param texts of the form's language; English where absent. */
  constructor(address: Address | undefined, texts: MoreTexts = enMore) {
    this.#texts = texts;
    this.address = address;
  }

  /** What the controls start from. */
  startOf(
    definition: FormDefinition,
    candidates: readonly Candidate[],
    decimalMark: string,
  ): Entries {
    return startOf(definition, candidates, decimalMark);
  }

  nudge(view: View): TemplateResult | typeof nothing {
    return nudge(view, this.#texts);
  }
  purpose(view: View): TemplateResult | typeof nothing {
    return purposeSection(view, this.#texts);
  }
  tribute(view: View): TemplateResult | typeof nothing {
    return tributeSection(view, this.#texts);
  }
  consents(view: View): TemplateResult | typeof nothing {
    return consentsSection(view, this.#texts);
  }
  /** Stands before the payment field. */
  ways(view: View): TemplateResult | typeof nothing {
    return waysSection(view, this.#texts);
  }
  /** What the line under the button says where nothing is paid here. */
  promise({ context: { definition }, state }: View): string | undefined {
    return isOffline(paymentOf(state, definition)) ? this.#texts.promiseOnly : undefined;
  }
  /** Stands before the donor's fields. */
  organization(view: View): TemplateResult | typeof nothing {
    return organizationFields(view, this.#texts);
  }
  /** Stands after the donor's fields. */
  aboutDonor(view: View): unknown {
    return [anonymityBox(view, this.#texts), customFields(view, this.#texts)];
  }

  /** What keeps the gift from being sent, in words. */
  flagsOf(form: CheckedForm, sending: SendingTexts): FieldError[] {
    const problems = moreProblemsOf(form.state, form.context!).map((problem) => ({
      control: problem.control,
      message: this.#wordsFor(problem, form, sending),
    }));
    const halfDates = halfDatesIn(form.element).map((control) => ({
      control,
      message: this.#texts.notADate,
    }));
    return [
      ...(this.address?.flagsOf(form.state) ?? []),
      ...halfDates,
      ...problems.filter(({ control }) => !halfDates.some((date) => date.control === control)),
    ];
  }

  ofGift(state: FormState, context: FormContext, amount: number): MoreOfGift {
    return moreOfGift(state, context, amount);
  }

  #wordsFor(
    { control, code, field }: MoreProblem,
    { state, context, sums, formatMoney }: CheckedForm,
    sending: SendingTexts,
  ): string {
    const texts = this.#texts;
    if (code === 'not-an-email') return sending.notAnEmail;
    if (control === 'split.chosen') {
      const split = splitOf(state, context!, sums?.amount);
      return fill(
        (
          {
            missing: texts.splitMissing,
            'not-an-amount': texts.splitNoAmount,
            wrong: texts.splitWrong,
            'too-small': texts.splitTooSmall,
          } as Record<string, string>
        )[code]!,
        { sum: formatMoney(split?.sum ?? 0), amount: formatMoney(sums?.amount ?? 0) },
      );
    }
    if (control === 'tribute.name') return texts.tributeNameMissing;
    if (control === 'organization.name') return texts.organizationMissing;
    if (control.startsWith('consent.')) return texts.consentMissing;
    if (code === 'not-a-number')
      return fill(texts.notANumber, { example: `12${context!.decimalMark}5` });
    if (code === 'not-a-whole-number') return texts.notAWholeNumber;
    if (code === 'not-a-date') return texts.notADate;
    return code === 'not-a-link' ? texts.notALink : fill(texts.fieldMissing, { field });
  }
}

/**
 * The controls of dates that are half written, or of days that do not exist: browsers say nothing
 * of them but that.
 */
function halfDatesIn({ shadowRoot }: HTMLElement): string[] {
  return [...shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=date]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => name);
}

/**
 * All texts of a language, English where absent, with the organisation's own words for some, by
 * their names: `donor`, `fields.firstName`.
 */
export function withOwnWords(tables = english, own: Readonly<Record<string, string>>): Tables {
  return {
    form: replaced(tables.form, own),
    sending: replaced(tables.sending, own),
    more: replaced(tables.more, own),
    address: replaced(tables.address, own),
  };
}

function replaced<Table extends object>(
  table: Table,
  own: Readonly<Record<string, string>>,
  before = '',
): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [
      name,
      typeof text === 'string'
        ? (own[before + name] ?? text)
        : replaced(text as object, own, `${before}${name}.`),
    ]),
  ) as Table;
}
