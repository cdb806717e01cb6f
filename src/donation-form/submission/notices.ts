import { html, nothing, type TemplateResult } from 'lit';
import { PROVIDER_CONTROL } from '@donation-form/core/form-state';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import type { PaymentNotice } from '../form/view-model.ts';
import { renderRequestId } from '../sections/request-id.ts';
import { focusControl } from './form-focus.ts';
import type { RequiredAction } from './required-action.ts';
import type { SelectedPayment } from './selected-payment.ts';
import type { Alternative, NoticeDetails } from './submission-machine.ts';

interface NoticesParts {
  readonly form: FormStore;
  readonly texts: SubmissionTexts;
  readonly payment: SelectedPayment;
  readonly action: RequiredAction;
}

export class Notices {
  readonly #parts: NoticesParts;

  constructor(parts: NoticesParts) {
    this.#parts = parts;
  }

  /** @param isAfterSubmission true if the notice is the result of a submission. */
  show(
    notice: PaymentNotice,
    isAfterSubmission: boolean,
    { retryAfter = 0, requestId }: NoticeDetails = {},
  ): void {
    const { session, context } = this.#parts.form;
    const { name, contact } = context!.definition.organization;
    const time =
      retryAfter &&
      new Date(Date.now() + retryAfter * 1_000 + 59_999).toLocaleTimeString(session!.language, {
        timeStyle: 'short',
      });
    const text = fillPlaceholders(this.#getText(notice, isAfterSubmission), {
      organization: name,
      contact,
      time,
      method: this.#parts.payment.hostedMethodName,
    });
    void this.#parts.form.update({
      notice,
      noticeText: html`<span .textContent=${text}></span>${this.#renderLink(notice)}${renderRequestId(requestId, this.#parts.texts)}`,
    });
  }

  /** Does not move the focus, which might be in a wallet. */
  offerAlternative(alternative: Alternative, isOffline: boolean): void {
    const { notices, stalledPayment, payOnHostedPage, chooseOtherMethod } = this.#parts.texts;
    const label = {
      'hosted-page': payOnHostedPage,
      'other-provider': chooseOtherMethod,
      'try-again': this.#parts.form.session!.texts.tryAgain,
    }[alternative];
    void this.#parts.form.update({
      notice: 'payment-stalled',
      noticeText: html`${isOffline ? notices.offline : stalledPayment}${renderButton(label, () =>
        this.#parts.payment.chooseAlternative(alternative),
      )}`,
    });
  }

  /** Some wallets do not report when they close. */
  offerWalletCancel(cancel: () => void): void {
    const { confirmInWallet, actionCancel } = this.#parts.texts;
    void this.#parts.form.update({
      notice: 'payment-stalled',
      noticeText: html`${confirmInWallet}${renderButton(actionCancel, cancel)}`,
    });
  }

  #renderLink(notice: PaymentNotice): TemplateResult | typeof nothing {
    const { chooseOtherMethod, tryOtherPayment } = this.#parts.texts;
    const { hasField, hasOtherProvider, mustSwitchProvider } = this.#parts.payment;
    const focusProvider = () => focusControl(this.#parts.form, PROVIDER_CONTROL);
    const focusField = () => void this.#parts.payment.focusField();
    switch (notice) {
      case 'card-declined':
      case 'not-confirmed':
        if (hasOtherProvider) return renderButton(tryOtherPayment, focusProvider);
        if (notice === 'not-confirmed' && this.#wasCanceledAtMethod) return nothing;
        // A hosted page offers its own payment methods, so the form has no field to link to.
        return hasField ? renderButton(tryOtherPayment, focusField) : html` <br>${tryOtherPayment}`;
      case 'payment-details-incomplete':
      case 'processor-unavailable':
        return renderButton(this.#parts.form.session!.texts.payment, focusField);
      case 'payment-unavailable':
        return mustSwitchProvider ? renderButton(chooseOtherMethod, focusProvider) : nothing;
      default:
        return nothing;
    }
  }

  #getText(notice: PaymentNotice, isAfterSubmission: boolean): string {
    if (notice === 'not-confirmed' && this.#wasCanceledAtMethod)
      return this.#parts.texts.paymentCanceledAt;
    if (notice !== 'payment-unavailable') return this.#parts.texts.notices[notice];
    if (!isAfterSubmission) return this.#parts.form.session!.texts.paymentUnavailable;
    const { hostedPaymentInstead, paymentFieldUnavailable } = this.#parts.texts;
    return this.#parts.payment.isHosted ? hostedPaymentInstead : paymentFieldUnavailable;
  }

  get #wasCanceledAtMethod(): boolean {
    return this.#parts.action.wasCanceled && this.#parts.payment.hostedMethodName !== undefined;
  }
}

function renderButton(label: string, choose: () => void): TemplateResult {
  return html` <br><button type="button" class="link" @click=${choose}><span .textContent=${label}></span></button>`;
}
