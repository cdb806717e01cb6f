import type { PaymentFieldFactory } from './payment-field.ts';
import type { WalletButtonsFactory } from './wallet-buttons.ts';

/** Loads a payment provider's browser module, such as `() => import('./my-provider.js')`. */
export type PaymentProviderLoader = () => Promise<{
  readonly mount: PaymentFieldFactory;
  /** Required if the form definition sets `hasWallets` for the provider. */
  readonly mountWallets?: WalletButtonsFactory;
}>;

/** Key of the global registry that the embed script and the npm package share. */
const REGISTRY_KEY = Symbol.for('donation-form payment providers');

export function getRegisteredProviders(): Map<string, PaymentProviderLoader> {
  return ((globalThis as { [REGISTRY_KEY]?: Map<string, PaymentProviderLoader> | undefined })[
    REGISTRY_KEY
  ] ??= new Map<string, PaymentProviderLoader>());
}
