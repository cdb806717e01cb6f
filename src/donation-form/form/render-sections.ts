import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
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
  const { element, session, phase, edits, state, totals, fieldErrors, notice, noticeText } = form;
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
  // A section renders again only after a change to what it depends on. The context changes with the
  // texts, formats, and illustrations.
  const { optionalFields } = edits;
  const optionalInput = [context, fieldErrors, optionalFields];
  const donorInput = [...optionalInput, edits.donor, edits.comment];
  return html`
    <div class="sections" ?inert=${isSending}>
      ${testBadge}${guard([context, optionalFields, edits.frequency], () =>
        renderFrequency(view, optionalSections),
      )}${guard(
        [context, fieldErrors, edits.frequency, edits.amountChoice, edits.customAmount],
        () => renderAmount(view, optionalSections),
      )}${optionalSections?.renderMonthlyUpsell(view, session!.upsellAnnouncement)}${
        optionalSections ? optionalSections.renderProjectSection(view) : renderProjectField(view)
      }${guard(optionalInput, () => optionalSections?.renderTribute(view))}${
        wallets && element.getRootNode() === document
          ? (form.renderWallets?.(view) ??
            (isWalletLikely ? html`<div class="wallets"></div>` : nothing))
          : nothing
      }
      ${guard(donorInput, () => renderDonor(view, optionalSections, address))}${optionalSections?.renderGiftAid(view)}${renderPayment(
        view,
        optionalSections,
        form,
      )}${guard(optionalInput, () => optionalSections?.renderConsents(view))}
    </div>
    ${renderSubmit(
      view,
      form.renderSummary?.(view),
      isSending || isFieldLoading(view, form),
      optionalSections?.getOfflineTexts(view) ?? form.retryTexts,
    )}`;
}
