import { html, nothing, type TemplateResult } from 'lit';
import { PROVIDER_CONTROL } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import type { PaymentNotice, SubmitTexts } from '../form/view-model.ts';
import { renderRequestId } from '../sections/request-id.ts';
import { focusControl } from './form-focus.ts';
import type { Effect } from './submission-machine.ts';
import type { SubmissionParts } from './submission-parts.ts';
import { getSubmissionTexts } from './submission-texts.ts';

/** Notices after which the same gift can be submitted again. */
const RETRYABLE_NOTICES: readonly PaymentNotice[] = [
  'processor-unavailable',
  'card-declined',
  'not-confirmed',
  'payment-failed',
  'network-error',
  'offline',
  'too-many-requests',
];

function getRetryTexts({ texts: { tryAgain, recipientNote } }: FormStore): SubmitTexts {
  return { give: `${tryAgain} · {amount}`, giveWithoutAmount: tryAgain, recipientNote };
}

export function showNotice(
  parts: SubmissionParts,
  { notice, isAfterSubmission, details = {} }: Extract<Effect, { kind: 'show-notice' }>,
): void {
  const { form, payment } = parts;
  const { retryAfter = 0, requestId } = details;
  const { name, contact } = form.context!.definition.organization;
  const time =
    retryAfter &&
    new Date(Date.now() + retryAfter * 1_000 + 59_999).toLocaleTimeString(form.session!.language, {
      timeStyle: 'short',
    });
  const text = fillPlaceholders(getText(parts, notice, isAfterSubmission), {
    organization: name,
    contact,
    time,
    method: payment.hostedMethodName,
  });
  void form.update({
    notice,
    retryTexts:
      isAfterSubmission && RETRYABLE_NOTICES.includes(notice) ? getRetryTexts(form) : undefined,
    noticeText: html`<span .textContent=${text}></span>${renderLink(parts, notice)}${renderRequestId(requestId, getSubmissionTexts(form))}`,
  });
}

/** Does not move the focus, which might be in a wallet. */
export function offerAlternative(
  { form, payment }: SubmissionParts,
  { alternative, isOffline }: Extract<Effect, { kind: 'offer-alternative' }>,
): void {
  const { notices, stalledPayment, payOnHostedPage, chooseOtherMethod } = getSubmissionTexts(form);
  const label = {
    'hosted-page': payOnHostedPage,
    'other-provider': chooseOtherMethod,
    'try-again': form.texts.tryAgain,
  }[alternative];
  void form.update({
    notice: 'payment-stalled',
    noticeText: html`${isOffline ? notices.offline : stalledPayment}${renderButton(label, () =>
      payment.chooseAlternative(alternative),
    )}`,
  });
}

/** Some wallets do not report when they close. */
export function offerWalletCancel({ form, wallets }: SubmissionParts): void {
  const { actionCancel } = getSubmissionTexts(form);
  void form.update({
    notice: 'payment-stalled',
    noticeText: html`${form.progressMessage}${renderButton(actionCancel, () => wallets?.cancelPayment())}`,
  });
}

function renderLink(
  parts: SubmissionParts,
  notice: PaymentNotice,
): TemplateResult | typeof nothing {
  const { form, payment } = parts;
  const { chooseOtherMethod, tryOtherPayment } = getSubmissionTexts(form);
  const { hasField, hasOtherMethod, mustSwitchProvider } = payment;
  const focusProvider = () => focusControl(form, PROVIDER_CONTROL);
  const focusField = () => void payment.focusField();
  switch (notice) {
    case 'card-declined':
    case 'not-confirmed':
      if (hasOtherMethod) return renderButton(tryOtherPayment, focusProvider);
      if (notice === 'not-confirmed' && wasCanceledAtMethod(parts)) return nothing;
      // A hosted page offers its own payment methods, so the form has no field to link to.
      return hasField ? renderButton(tryOtherPayment, focusField) : html` <br>${tryOtherPayment}`;
    case 'payment-details-incomplete':
    case 'processor-unavailable':
      return renderButton(form.texts.payment, focusField);
    case 'payment-unavailable':
      return mustSwitchProvider ? renderButton(chooseOtherMethod, focusProvider) : nothing;
    default:
      return nothing;
  }
}

function getText(
  parts: SubmissionParts,
  notice: PaymentNotice,
  isAfterSubmission: boolean,
): string {
  const { form, payment } = parts;
  const texts = getSubmissionTexts(form);
  if (notice === 'not-confirmed' && wasCanceledAtMethod(parts)) return texts.paymentCanceledAt;
  if (notice !== 'payment-unavailable') return texts.notices[notice];
  if (!isAfterSubmission) return form.texts.paymentUnavailable;
  return payment.isHosted ? texts.hostedPaymentInstead : texts.paymentFieldUnavailable;
}

function wasCanceledAtMethod({ action, payment }: SubmissionParts): boolean {
  return action!.wasCanceled && payment.hostedMethodName !== undefined;
}

function renderButton(label: string, choose: () => void): TemplateResult {
  return html` <br><button type="button" class="link" @click=${choose}><span .textContent=${label}></span></button>`;
}
