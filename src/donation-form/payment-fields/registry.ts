import type { LoadPaymentProvider } from './payment-field.ts';

/**
 * The script of a script tag and the package's modules are different copies of this file, and know
 * the same providers.
 */
const KEY = Symbol.for('donation-form payment providers');

function registered(): Map<string, LoadPaymentProvider> {
  return ((globalThis as { [KEY]?: Map<string, LoadPaymentProvider> | undefined })[KEY] ??= new Map<
    string,
    LoadPaymentProvider
  >());
}

/** The payment providers that need no registration; each is loaded when a form needs it. */
const BUILT_IN: ReadonlyMap<string, LoadPaymentProvider> = new Map<string, LoadPaymentProvider>([
  ['sandbox', () => import('./sandbox.ts')],
  ['stripe', () => import('./stripe.ts')],
]);

/**
 * Makes a payment provider known to the forms of this page. Register it before the page has loaded.
 * @param name as the endpoint's configuration names it; one of the form's own is replaced.
 */
export function registerPaymentProvider(name: string, load: LoadPaymentProvider): void {
  registered().set(name, load);
}

/**
 * Finds a payment provider; where the page is still loading, its scripts may register one.
 * @throws where there is none.
 */
export async function findProvider(name: string): Promise<LoadPaymentProvider> {
  const find = (): LoadPaymentProvider | undefined => registered().get(name) ?? BUILT_IN.get(name);
  if (!find() && document.readyState !== 'complete')
    await new Promise((resolve) => {
      addEventListener('load', resolve, { once: true });
    });
  const found = find();
  if (found) return found;
  const known = [...BUILT_IN.keys(), ...registered().keys()].join(', ');
  throw new Error(
    `the form's definition names the payment provider "${name}", and this page knows ${known}. Register it before the page has loaded: import { registerPaymentProvider } from 'donation-form/payment'; registerPaymentProvider('${name}', () => import('./${name}.js')).`,
  );
}
