import { STRIPE_JS_URL } from '@donation-form/core/url';
import { preload } from '../page/preload.ts';
import { getRegisteredProviders, type PaymentProviderLoader } from './registered-providers.ts';

type ModuleLoader = (
  options: Readonly<Record<string, string>>,
) => ReturnType<PaymentProviderLoader>;

const BUILT_IN_PROVIDERS: ReadonlyMap<string, ModuleLoader> = new Map([
  [
    'stripe',
    (options) => {
      preloadStripeJs(options);
      return import('./stripe.ts');
    },
  ],
]);

/**
 * Registers a payment provider for the forms on this page. Call this function before the page's
 * `load` event.
 * @param name provider's name in the endpoint's configuration. The provider replaces a built-in
 *   provider with the same name.
 *
 * @example
 * ```ts
 * import {
 *   PaymentMethodType,
 *   registerPaymentProvider,
 *   type PaymentFieldFactory,
 * } from 'donation-form/payment';
 *
 * const mount: PaymentFieldFactory = async (host, { label }) => {
 *   const input = document.createElement('input');
 *   input.ariaLabel = label;
 *   host.append(input);
 *   return {
 *     update: () => undefined,
 *     confirm: async () => ({ token: input.value, method: PaymentMethodType.CreditCard }),
 *     handleNextAction: async () => undefined,
 *     focus: () => input.focus(),
 *     destroy: () => input.remove(),
 *   };
 * };
 * registerPaymentProvider('acme', async () => ({ mount }));
 * ```
 */
export function registerPaymentProvider(name: string, load: PaymentProviderLoader): void {
  getRegisteredProviders().set(name, load);
}

/** Scripts can register providers until the `load` event. @throws if no provider has this name. */
export async function findPaymentProvider(name: string): Promise<ModuleLoader> {
  const findLoader = (): ModuleLoader | undefined =>
    getRegisteredProviders().get(name) ?? BUILT_IN_PROVIDERS.get(name);
  if (!findLoader() && document.readyState !== 'complete')
    await new Promise((resolve) => {
      addEventListener('load', resolve, { once: true });
    });
  const loader = findLoader();
  if (loader) return loader;
  const knownNames = [...BUILT_IN_PROVIDERS.keys(), ...getRegisteredProviders().keys()].join(', ');
  throw new Error(
    `Unknown payment provider "${name}" in the form definition; known providers: ${knownNames}. ` +
      `Call registerPaymentProvider('${name}', …) before the page finishes loading.`,
  );
}

/** Starts to download Stripe.js while its module loads, which saves a round trip. */
function preloadStripeJs({ scriptUrl = STRIPE_JS_URL }: Readonly<Record<string, string>>): void {
  if (!('Stripe' in window)) preload('preload', scriptUrl);
}
