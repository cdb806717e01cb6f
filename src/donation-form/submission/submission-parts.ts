import { nothing } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { FormStore, ReceivedOutcome } from '../form/form-store.ts';
import { restoreFragment } from '../page/restore-fragment.ts';
import { DonationClient } from './donation-client.ts';
import type { OutcomeListener } from './idempotency-key.ts';
import { isReturnCanceled, removeProcessorParams } from './processor-params.ts';
import type { RequiredAction } from './required-action.ts';
import { SelectedPayment } from './selected-payment.ts';
import { getEntryTexts, type SubmissionContext } from './submission-context.ts';
import { DonationSubmitter } from './submit-donation.ts';
import type { WalletPayment } from './wallet-payment.ts';

export interface SubmissionParts extends SubmissionContext {
  /** Aborted when the form loads again. */
  readonly signal: AbortSignal;
  readonly payment: SelectedPayment;
  /** Undefined until the next steps have loaded. */
  action: RequiredAction | undefined;
  /** True if the donor canceled on the payment provider's page and returned to this page. */
  readonly hasReturnedCanceled: boolean;
  readonly submitter: DonationSubmitter;
  /** Undefined until loaded, and if no payment provider of the form has wallet buttons. */
  wallets: WalletPayment | undefined;
}

/** @param inheritOutcome receives the outcome of a donation from a form that this form replaced. */
export function createSubmissionParts(
  form: FormStore,
  dispatch: SubmissionContext['dispatch'],
  inheritOutcome: OutcomeListener,
  load: (parts: SubmissionParts) => ReturnType<SubmissionContext['loadNextSteps']>,
): SubmissionParts {
  const { endpointUrl, signal } = form.session!;
  const client = new DonationClient(endpointUrl, form.context!.definition.id, inheritOutcome);
  const context = { form, client, dispatch, loadNextSteps: () => load(parts) };
  const payment = new SelectedPayment(context);
  const parts: SubmissionParts = {
    ...context,
    signal,
    payment,
    action: undefined,
    hasReturnedCanceled: isReturnCanceled(),
    submitter: new DonationSubmitter(context, payment),
    wallets: undefined,
  };
  restoreFragment();
  removeProcessorParams(false);
  return parts;
}

/** Returns true if the form is on the page and has not started to load again. */
export function isInUse({ form, signal }: SubmissionParts): boolean {
  return form.element.isConnected && !signal.aborted;
}

export function isFillable(parts: SubmissionParts): boolean {
  return isInUse(parts) && parts.form.phase.name === 'filling';
}

export function pollOutcome(parts: SubmissionParts, { outcome, isEarlier }: ReceivedOutcome): void {
  if (isInUse(parts))
    parts.client.pollOutcome(outcome.status, (changed) =>
      parts.dispatch({ kind: 'outcome', outcome: changed, isEarlier }),
    );
}

export function removePaymentFields({ payment, wallets }: SubmissionParts): void {
  payment.removeFields();
  wallets?.removeButtons();
}

export async function loadWallets(parts: SubmissionParts): Promise<void> {
  const { form, signal } = parts;
  if (!hasWallets(form.context!.definition)) return;
  const module = await import('./wallet-payment.ts').catch(() => undefined);
  if (signal.aborted) return;
  if (!module) {
    form.renderWallets = () => nothing;
    return void form.update({ expressMethods: [] });
  }
  form.adoptStyles(module.walletStyles);
  const wallets = new module.WalletPayment(parts, parts.submitter, getEntryTexts(form));
  parts.wallets = wallets;
  form.renderWallets = (view) => wallets.render(view);
  await form.update({});
  if (isFillable(parts)) wallets.showButtons();
}

export function hasWallets({ payments }: FormDefinition): boolean {
  return payments.some((payment) => payment.hasWallets);
}
