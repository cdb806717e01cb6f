import { html, nothing, type TemplateResult } from 'lit';
import type { FormContext } from '@donation-form/core/form-state';
import { renderAmount, renderFrequency, renderProjectField } from '../sections/amount.ts';
import { renderDonor } from '../sections/donor.ts';
import { isFieldLoading, renderPayment, renderSubmit } from '../sections/submit.ts';
import type { FormStore } from './form-store.ts';
import type { View } from './view-model.ts';

export function renderSections(
  form: FormStore,
  context: FormContext,
  testBadge: TemplateResult | typeof nothing,
): TemplateResult {
  const { element, session, phase, state, totals, fieldErrors, notice, noticeText } = form;
  const { texts, translation, language, address, optionalSections } = session!;
  const isSending = phase.name === 'sending';
  const view: View = {
    texts,
    translation,
    language,
    context,
    state,
    totals,
    fieldErrors,
    notice,
    noticeText,
    formatMoney: form.formatMoney,
    applyEdits: form.applyEdits,
    illustrations: form.illustrations,
    isSending,
    progressMessage: form.progressMessage || texts.sending,
  };
  const wallets = context.definition.payments.find((payment) => payment.hasWallets);
  // Browsers without the Payment Request API have neither Apple Pay nor Google Pay.
  const isWalletLikely =
    'PaymentRequest' in window || /link|pay/.test(wallets?.options.methods ?? '');
  return html`
    <div class="sections" ?inert=${isSending}>
      ${testBadge}${renderFrequency(view, optionalSections)}${renderAmount(view, optionalSections)}${optionalSections?.renderMonthlyUpsell(view, session!.upsellAnnouncement)}${
        optionalSections ? optionalSections.renderProjectSection(view) : renderProjectField(view)
      }${optionalSections?.renderTribute(view)}${
        wallets && element.getRootNode() === document
          ? (form.renderWallets?.(view) ??
            (isWalletLikely ? html`<div class="wallets"></div>` : nothing))
          : nothing
      }
      ${renderDonor(view, optionalSections, address)}${optionalSections?.renderGiftAid(view)}${renderPayment(
        view,
        optionalSections,
        form,
      )}${optionalSections?.renderConsents(view)}
    </div>
    ${renderSubmit(
      view,
      form.renderSummary?.(view),
      isSending || isFieldLoading(view, form),
      optionalSections?.getOfflineTexts(view) ?? form.retryTexts,
    )}`;
}
