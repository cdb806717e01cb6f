import type { StripeElements, StripeError } from '@stripe/stripe-js';
import { observeAppearance } from './observe-appearance.ts';
import type { ChargeSummary } from './payment-field.ts';
import { toStripeAppearance } from './stripe-appearance.ts';
import { limitCallTime, LOAD_TIMEOUT, runAsync } from './stripe-calls.ts';

export function followAppearance(
  elements: StripeElements,
  host: HTMLElement,
  signal: AbortSignal,
): void {
  observeAppearance(
    host,
    () =>
      void runAsync(() => elements.update({ appearance: toStripeAppearance(host) })).catch(
        (error: unknown) => console.error("donation-form: Cannot change Stripe's colors.", error),
      ),
    signal,
  );
}

interface MountableElement<Ready> {
  on(type: 'ready', listen: (event: Ready) => void): unknown;
  on(type: 'loaderror', listen: (event: { readonly error: StripeError }) => void): unknown;
  mount(host: HTMLElement): void;
  destroy(): void;
}

interface MountOptions {
  readonly host: HTMLElement;
  readonly name: string;
  /** Follows the advice to check the configuration. */
  readonly advice?: string;
  readonly requestSubmit?: () => void;
}

/** @throws if Stripe rejects the element or does not show it in time. */
export async function mountElement<Ready>(
  element: MountableElement<Ready>,
  { host, name, advice = '', requestSubmit }: MountOptions,
): Promise<Ready> {
  const mounted = new Promise<Ready>((resolve, reject) => {
    element.on('ready', resolve);
    element.on('loaderror', ({ error }) =>
      reject(
        new Error(
          `Stripe rejected the ${name}: ${error.message ?? error.type}. Check "publicKey" and ` +
            `"methods" of this payment provider in the server's configuration${advice}.`,
        ),
      ),
    );
    element.mount(addStripeForm(host, requestSubmit));
  });
  try {
    return await limitCallTime(mounted, `show the ${name}`, LOAD_TIMEOUT);
  } catch (error) {
    element.destroy();
    throw error;
  }
}

export class ChargeUpdates<Charge extends ChargeSummary> {
  charge: Charge;
  isComplete = true;
  readonly #send: (charge: Charge) => unknown;
  /** Latest update. Undefined if it failed. */
  #pending: Promise<unknown> | undefined = Promise.resolve();

  constructor(charge: Charge, send: (charge: Charge) => unknown) {
    this.charge = charge;
    this.#send = send;
  }

  update(charge: Charge): void {
    this.charge = charge;
    this.isComplete = false;
    const update = (this.#pending = runAsync(() => this.#send(charge)));
    update.then(
      () => {
        this.isComplete ||= this.#pending === update;
      },
      () => {
        if (this.#pending === update) this.#pending = undefined;
      },
    );
  }

  /** Waits for the latest update. Starts another after a failed one. */
  complete(): Promise<unknown> {
    if (!this.#pending) this.update(this.charge);
    return this.#pending!;
  }
}

/** Stripe.js submits the form around an element, which otherwise could be the page's, on Enter. */
function addStripeForm(host: HTMLElement, requestSubmit?: () => void): HTMLFormElement {
  const form = document.createElement('form');
  form.noValidate = true;
  form.style.cssText = host.style.cssText;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    requestSubmit?.();
  });
  host.append(form);
  return form;
}
