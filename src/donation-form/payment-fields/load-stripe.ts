import type { loadStripe as LoadStripe, Stripe } from '@stripe/stripe-js';
// The package has no `exports` map. TypeScript does not find types for this path.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import { limitCallTime, LOAD_TIMEOUT, runAsync } from './stripe-calls.ts';

/** Instances by form, because each instance loads its own frames. */
const instances = new WeakMap<Element, Promise<Stripe>>();

export function loadStripeForForm(
  host: HTMLElement,
  options: Readonly<Record<string, string>>,
): Promise<Stripe> {
  const form = host.closest('donation-form') ?? host;
  const instance = instances.get(form) ?? createStripe(options);
  instances.set(form, instance);
  instance.catch(() => instances.delete(form));
  return instance;
}

async function createStripe({
  publicKey = '',
  scriptUrl,
}: Readonly<Record<string, string>>): Promise<Stripe> {
  const stripe = await limitCallTime(
    runAsync(async () => {
      if (scriptUrl !== undefined) await loadSandboxStripe(scriptUrl);
      return (loadStripe as typeof LoadStripe)(publicKey);
    }),
    'load Stripe.js',
    LOAD_TIMEOUT,
  );
  if (!stripe) throw new Error('Stripe.js is not available in this environment.');
  return stripe;
}

let standIn: Promise<unknown> | undefined;

/** Loads the sandbox's replacement, which {@link loadStripe} then uses. */
function loadSandboxStripe(url: string): Promise<unknown> {
  return (standIn ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = resolve;
    script.onerror = () => {
      standIn = undefined;
      script.remove();
      reject(new Error(`Cannot load ${url}`));
    };
    document.head.append(script);
  }));
}
