import type { CSSResult, nothing, TemplateResult } from 'lit';
import {
  calculateTotals,
  createFormState,
  type Edits,
  type FieldError,
  type FormContext,
  type FormState,
  type Totals,
} from '@donation-form/core/form-state';
import type { FormTexts, Translation } from '@donation-form/core/i18n';
import { formatMoney } from '@donation-form/core/money';
import type { DonationOutcome } from '@donation-form/core/schemas';
import { DonationFormErrorEvent } from '../events/events.ts';
import type { DonationFormBase } from './attributes.ts';
import type { FormSession } from './form-session.ts';
import type { Illustrations, Notice, SubmitTexts, View } from './view-model.ts';

export type Phase =
  { readonly name: 'loading' | 'unavailable' | 'insecure' | 'filling' | 'sending' } | OutcomePhase;

export interface ReceivedOutcome {
  readonly outcome: DonationOutcome;
  /** True if the outcome belongs to an earlier submission with different values. */
  readonly isEarlier: boolean;
}

export interface OutcomePhase extends ReceivedOutcome {
  readonly name: 'unconfirmed' | 'requires_action' | 'processing' | 'succeeded';
  /** Step of a required action that is in progress, or `network-error` if the last step failed. */
  readonly step?: 'confirm' | 'cancel' | 'network-error';
  readonly requestId?: string | undefined;
}

export class FormStore {
  readonly element: DonationFormBase & { refresh(): void };
  phase: Phase = { name: 'loading' };
  edits: Edits = {};
  fieldErrors: readonly FieldError[] = [];
  notice: Notice | undefined;
  noticeText: string | TemplateResult = '';
  /** Texts of the button while the notice is about a payment that the donor can try again. */
  retryTexts: SubmitTexts | undefined;
  /** If empty, the form shows the default message. */
  progressMessage = '';
  /** True until the selected provider's payment field, if any, has loaded. */
  isPaymentLoading = true;
  paymentReplacement: TemplateResult | undefined;
  /** Methods with a wallet button. Undefined until the buttons have loaded. */
  declare expressMethods: readonly string[] | undefined;
  /** Undefined until the submission controller has loaded. */
  renderWallets: ((view: View) => TemplateResult | typeof nothing) | undefined;
  /** Undefined until the submission controller has loaded. */
  renderSummary: ((view: View) => TemplateResult) | undefined;
  /** Undefined until loaded. */
  illustrations: Illustrations | undefined;
  session: FormSession | undefined;
  context: FormContext | undefined;
  /** Localized formatter. Undefined until the `next-steps` chunk has loaded. */
  writeMoney: ((minor: number, currency: string, decimals: number) => string) | undefined;

  debugPanel: TemplateResult | undefined;
  /** The donation in the last dispatched event, as JSON. */
  lastDispatched: string | undefined;
  #gift:
    | {
        readonly context: FormContext | undefined;
        readonly edits: Edits;
        readonly state: FormState;
        readonly totals: Totals | undefined;
      }
    | undefined;
  /** Applies edits as if the donor had made them. */
  readonly applyEdits: (edits: Edits) => void;
  /** Applies the values of all controls, because autofill can change a value without an event. */
  readonly applyFormValues: () => void;

  constructor(
    element: DonationFormBase & { refresh(): void },
    applyEdits: (edits: Edits) => void,
    applyFormValues: () => void,
  ) {
    this.element = element;
    this.applyEdits = applyEdits;
    this.applyFormValues = applyFormValues;
  }

  update(
    changes: Partial<Omit<FormStore, 'element' | 'state' | 'texts' | 'totals' | 'translation'>>,
  ): Promise<boolean> {
    Object.assign(this, 'notice' in changes && { retryTexts: undefined }, changes);
    this.element.requestUpdate();
    return this.element.updateComplete;
  }

  adoptStyles({ styleSheet }: CSSResult): void {
    const { adoptedStyleSheets } = this.element.shadowRoot!;
    if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
  }

  #calculateGift() {
    const { context, edits } = this;
    if (this.#gift?.context === context && this.#gift?.edits === edits) return this.#gift;
    const state = createFormState(context!, edits);
    return (this.#gift = { context, edits, state, totals: calculateTotals(state, context!) });
  }

  get state(): FormState {
    return this.#calculateGift().state;
  }

  get translation(): Translation | undefined {
    return this.session!.translation;
  }

  get texts(): FormTexts {
    return this.session!.texts;
  }

  get totals(): Totals | undefined {
    return this.#calculateGift().totals;
  }

  /** Returns the number of decimal places of one of the form's currencies. */
  getDecimals(currency: string): number {
    return this.context!.definition.currencies.find(({ code }) => code === currency)?.decimals ?? 2;
  }

  /** The default currency is the one selected in the form. */
  readonly formatMoney = (
    minor: number,
    currency = this.context!.settings.currency.code,
  ): string => {
    const decimals = this.getDecimals(currency);
    return (
      this.writeMoney?.(minor, currency, decimals) ??
      formatMoney(minor, currency, decimals, this.texts)
    );
  };

  dispatchError(code: string): void {
    this.element.dispatchEvent(new DonationFormErrorEvent(code));
  }
}
