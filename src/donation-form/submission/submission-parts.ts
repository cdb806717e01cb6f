import { nothing } from 'lit';
import { enSubmission, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { FormStore } from '../form/form-store.ts';
import { DonationClient } from './donation-client.ts';
import { FieldValidator } from './field-validator.ts';
import type { OutcomeListener } from './idempotency-key.ts';
import { Notices } from './notices.ts';
import { RequiredAction } from './required-action.ts';
import { ResultScreenLoader } from './result-screen-loader.ts';
import { SelectedPayment } from './selected-payment.ts';
import type { SubmissionInput } from './submission-machine.ts';
import { DonationSubmitter } from './submit-donation.ts';
import type { WalletPayment } from './wallet-payment.ts';

export interface SubmissionParts {
  readonly form: FormStore;
  readonly texts: SubmissionTexts;
  /** Aborted when the form loads again. */
  readonly signal: AbortSignal;
  readonly client: DonationClient;
  readonly validator: FieldValidator;
  readonly payment: SelectedPayment;
  readonly action: RequiredAction;
  readonly notices: Notices;
  readonly screens: ResultScreenLoader;
  readonly submitter: DonationSubmitter;
  /** Undefined until loaded, and if no payment provider of the form has wallet buttons. */
  wallets: WalletPayment | undefined;
  readonly dispatch: (input: SubmissionInput) => void;
}

/** @param inheritOutcome receives the outcome of a donation from a form that this form replaced. */
export function createSubmissionParts(
  form: FormStore,
  dispatch: (input: SubmissionInput) => void,
  inheritOutcome: OutcomeListener,
): SubmissionParts {
  const { endpointUrl, signal, translation } = form.session!;
  const texts = translation?.submission ?? enSubmission;
  const client = new DonationClient(endpointUrl, form.context!.definition.id, inheritOutcome);
  const validator = new FieldValidator(form, texts);
  const isOffline = (): Promise<boolean> => client.isOffline();
  const payment = new SelectedPayment({ form, texts, isOffline, dispatch });
  const action = new RequiredAction({ form, client, payment, texts, dispatch });
  const screens = new ResultScreenLoader(form, texts);
  return {
    form,
    texts,
    signal,
    client,
    validator,
    payment,
    action,
    notices: new Notices({ form, texts, payment, action }),
    screens,
    submitter: new DonationSubmitter({ form, client, validator, payment, screens, dispatch }),
    wallets: undefined,
    dispatch,
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
  const wallets = new module.WalletPayment(parts);
  parts.wallets = wallets;
  form.renderWallets = (view) => wallets.render(view);
  await form.update({});
  if (isFillable(parts)) wallets.showButtons();
}

export function hasWallets({ payments }: FormDefinition): boolean {
  return payments.some((payment) => payment.hasWallets);
}
