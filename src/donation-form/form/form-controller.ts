import type { TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import {
  stateOf,
  sumsOf,
  type Edits,
  type FormState,
  type FormContext,
  type Sums,
} from '../state/form-state.ts';
import { formatMoney } from '@donation-form/core/money';
import { DonationFormErrorEvent } from '../events/events.ts';
import type { FormLoader } from './form-loader.ts';
import type { DonationFormBase } from './attributes.ts';
import type { FieldError, Notice } from './view-model.ts';

/** What a form shows. */
export type Phase =
  | { readonly name: 'loading' | 'unavailable' | 'insecure' | 'filling' | 'sending' }
  | {
      readonly name: 'checking' | 'action' | 'pending' | 'thanks';
      readonly outcome: Outcome;
      readonly isEarlier: boolean;
      /** With action: what its buttons do now, or that nothing came of it. */ readonly step?:
        'confirm' | 'cancel' | 'no-answer';
      /** What the server's log calls the request of which nothing came. */ readonly request?:
        string | undefined;
    };

/**
 * A form while it is on a page: where it came from, what the donor did with it, and what it shows.
 */
export class FormController {
  readonly element: DonationFormBase;
  phase: Phase = { name: 'loading' };
  edits: Edits = {};
  fieldErrors: readonly FieldError[] = [];
  notice: Notice | undefined;
  noticeText: string | TemplateResult = '';
  /** What the form waits for, in words, where that is not the endpoint. */
  progressMessage = '';
  /** What stands in the place of the payment field. */
  paymentReplacement: TemplateResult | undefined;
  /** Where the form is being loaded from, or was. */
  loader: FormLoader | undefined;
  context: FormContext | undefined;
  /** Writes amounts as the browser does, when that is there. */
  write: ((minor: number, currency: string, decimals: number) => string) | undefined;

  /** Where every setting came from, for who wants to see it. */
  debugPanel: TemplateResult | undefined;
  /** The gift that was told to the page last, in JSON. */
  lastDispatched: string | undefined;
  /** Does what the donor would do with these controls; the others stay. */
  readonly edit: (edits: Edits) => void;

  constructor(element: DonationFormBase, edit: (edits: Edits) => void) {
    this.element = element;
    this.edit = edit;
  }

  /** Changes what is shown. */
  update(
    changes: Partial<
      Pick<
        FormController,
        | 'phase'
        | 'edits'
        | 'fieldErrors'
        | 'notice'
        | 'noticeText'
        | 'progressMessage'
        | 'paymentReplacement'
        | 'context'
        | 'write'
        | 'debugPanel'
      >
    >,
  ): Promise<boolean> {
    Object.assign(this, changes);
    this.element.requestUpdate();
    return this.element.updateComplete;
  }

  get state(): FormState {
    return stateOf(this.context!, this.edits);
  }

  get sums(): Sums | undefined {
    return sumsOf(this.state, this.context!);
  }

  /** An amount for reading; of the form's currency where none is named. */
  readonly formatMoney = (
    minor: number,
    currency = this.context!.settings.currency.code,
  ): string => {
    const decimals =
      this.context!.definition.currencies.find(({ code }) => code === currency)?.decimals ?? 2;
    return (
      this.write?.(minor, currency, decimals) ??
      formatMoney(minor, currency, decimals, this.loader!.texts)
    );
  };

  /** Raises `donation-form-error`. */
  dispatchError(code: string): void {
    this.element.dispatchEvent(new DonationFormErrorEvent(code));
  }
}
