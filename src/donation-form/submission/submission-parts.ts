import { nothing } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { FormStore } from '../form/form-store.ts';
import { DonationClient } from './donation-client.ts';
import type { OutcomeListener } from './idempotency-key.ts';
import { RequiredAction } from './required-action.ts';
import { SelectedPayment } from './selected-payment.ts';
import { getSubmissionTexts, type SubmissionContext } from './submission-context.ts';
import { DonationSubmitter } from './submit-donation.ts';
import type { WalletPayment } from './wallet-payment.ts';

export interface SubmissionParts extends SubmissionContext {
  /** Aborted when the form loads again. */
  readonly signal: AbortSignal;
  readonly payment: SelectedPayment;
  readonly action: RequiredAction;
  readonly submitter: DonationSubmitter;
  /** Undefined until loaded, and if no payment provider of the form has wallet buttons. */
  wallets: WalletPayment | undefined;
}

/** @param inheritOutcome receives the outcome of a donation from a form that this form replaced. */
export function createSubmissionParts(
  form: FormStore,
  dispatch: SubmissionContext['dispatch'],
  inheritOutcome: OutcomeListener,
): SubmissionParts {
  const { endpointUrl, signal } = form.session!;
  const client = new DonationClient(endpointUrl, form.context!.definition.id, inheritOutcome);
  const context = { form, client, dispatch };
  const payment = new SelectedPayment(context);
  return {
    ...context,
    signal,
    payment,
    action: new RequiredAction(context, payment),
    submitter: new DonationSubmitter(context, payment),
    wallets: undefined,
  };
}

/** Returns true if the form is on the page and has not started to load again. */
export function isInUse({ form, signal }: SubmissionParts): boolean {
  return form.element.isConnected && !signal.aborted;
}

export function isFillable(parts: SubmissionParts): boolean {
  return isInUse(parts) && parts.form.phase.name === 'filling';
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
    return void form.update({});
  }
  form.adoptStyles(module.walletStyles);
  const wallets = new module.WalletPayment(parts, parts.submitter, getSubmissionTexts(form));
  parts.wallets = wallets;
  form.renderWallets = (view) => wallets.render(view);
  await form.update({});
  if (isFillable(parts)) wallets.showButtons();
}

export function hasWallets({ payments }: FormDefinition): boolean {
  return payments.some((payment) => payment.hasWallets);
}
