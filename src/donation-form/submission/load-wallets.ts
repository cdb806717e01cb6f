import { nothing } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import { isFillable, type SubmissionParts } from './submission-parts.ts';

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
