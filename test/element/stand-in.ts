import {
  PaymentMethodType,
  registerPaymentProvider,
  type Confirmation,
  type MountPaymentField,
  type Payer,
  type PaymentFieldOptions,
  type PaymentGift,
} from '../../src/donation-form/payment-fields/index.ts';

/** A payment provider whose field does what a test wants. */
export class StandIn {
  readonly mounted: PaymentFieldOptions[] = [];
  readonly hosts: HTMLElement[] = [];
  readonly updates: PaymentGift[] = [];
  readonly payers: Payer[] = [];
  readonly acts: string[] = [];
  destroyed = 0;
  confirmation: Confirmation = { token: 'tok_own', method: PaymentMethodType.ACH };
  /** What the donor does when the bank asks. */
  act: () => Promise<void> = () => Promise.resolve();
  isBlocked = false;

  constructor(name: string) {
    registerPaymentProvider(name, () => Promise.resolve({ mount: this.#mount }));
  }

  readonly #mount: MountPaymentField = (host, options) => {
    this.mounted.push(options);
    if (this.isBlocked) return Promise.reject(new Error('blocked'));
    this.hosts.push(host);
    host.append(
      Object.assign(document.createElement('button'), {
        type: 'button',
        textContent: 'Pay with it',
      }),
    );
    return Promise.resolve({
      update: (gift) => {
        this.updates.push(gift);
      },
      confirm: (payer) => {
        this.payers.push(payer);
        return Promise.resolve(this.confirmation);
      },
      act: (secret) => {
        this.acts.push(secret);
        return this.act();
      },
      focus: () => host.querySelector('button')?.focus(),
      destroy: () => {
        this.destroyed += 1;
      },
    });
  };
}

/** What is said on the console while something is done. */
export async function errorsOf(act: () => unknown): Promise<string> {
  const { error } = console;
  const said: string[] = [];
  console.error = (...words: unknown[]) => {
    said.push(words.map(String).join(' '));
  };
  try {
    await act();
  } finally {
    console.error = error;
  }
  return said.join('\n');
}
