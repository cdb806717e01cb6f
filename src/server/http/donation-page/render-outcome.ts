import { html } from 'hono/html';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { DonationOutcome, FormDefinition } from '@donation-form/core/schemas';
import type { Html } from '../render-document.ts';
import type { PageForm } from './page-form.ts';

export function renderOutcome(
  form: PageForm,
  outcome: DonationOutcome,
  { search, canReceiveEmail }: { readonly search: string; readonly canReceiveEmail: boolean },
): { readonly title: string; readonly body: Html } {
  const {
    context: { definition },
    texts: { submission, form: formTexts },
    formatMoney,
  } = form;
  const { organization } = definition;
  const { reference, gift, instructions } = outcome;
  const { title, description } = getTexts(form, outcome);
  const amount = fillPlaceholders(formTexts.amountsByFrequency[gift.frequency], {
    amount: formatMoney(gift.total, gift.currency),
  });
  return {
    title,
    body: html`<main class="message"><p class="organization">${organization.name}</p><h1>${title}</h1>
<p class="amount"><strong>${amount}</strong></p>
${description ? html`<p>${description}</p>` : ''}${
      instructions ? html`<p class="instructions">${instructions}</p>` : ''
    }
${
  gift.coveredFees > 0
    ? html`<p>${fillPlaceholders(submission.feeBreakdown, {
        amount: formatMoney(gift.amount, gift.currency),
        fee: formatMoney(gift.coveredFees, gift.currency),
      })}</p>`
    : ''
}
${
  outcome.status === 'succeeded'
    ? html`<p>${fillPlaceholders(
        submission.receipts[canReceiveEmail ? definition.receiptSender : 'none'],
        {
          organization: organization.name,
          contact: organization.contact,
        },
      )}</p>`
    : ''
}
<p>${submission.reference} <strong class="reference">${reference}</strong></p>
<p>${fillPlaceholders(submission.questions, { contact: organization.contact })}</p>
${renderActions(form, outcome, search)}${renderManageLink(form, outcome, definition)}</main>`,
  };
}

function getTexts(
  { texts: { submission } }: PageForm,
  { status, instructions }: DonationOutcome,
): { readonly title: string; readonly description?: string } {
  switch (status) {
    case 'requires_action':
      return { title: submission.actionTitle, description: submission.actionDescription };
    case 'processing':
      return instructions
        ? { title: submission.instructionsTitle }
        : { title: submission.processingTitle, description: submission.processingDescription };
    case 'succeeded':
      return { title: submission.thanksTitle };
    default:
      return {
        title: submission.unconfirmedTitle,
        description: submission.unconfirmedDescription,
      };
  }
}

function renderActions(
  { texts: { submission, form } }: PageForm,
  { status, action }: DonationOutcome,
  search: string,
): Html | '' {
  const url = action?.kind === 'redirect' ? action.url : undefined;
  // The page of an unconfirmed donation reloads automatically.
  if (status === 'unconfirmed') return '';
  const isOpen = status === 'requires_action';
  return html`<form method="post" action="${search || '?'}">
${isOpen && url !== undefined ? html`<p><a class="button" href="${url}">${submission.actionContinue}</a></p>` : ''}
<button class="quiet" name="step" value="${isOpen ? 'cancel' : 'restart'}">${
    isOpen ? submission.actionCancel : form.giveWithoutAmount
  }</button></form>`;
}

function renderManageLink(
  { texts: { submission } }: PageForm,
  { status, gift, provider }: DonationOutcome,
  { id, payments }: FormDefinition,
): Html | '' {
  const isManaged =
    status === 'succeeded' &&
    gift.frequency !== 'once' &&
    payments.some((payment) => payment.provider === provider && payment.hasCustomerPortal);
  return isManaged
    ? html`<p><a href="./manage?${new URLSearchParams({ id, provider }).toString()}">${submission.manageGift}</a></p>`
    : '';
}
