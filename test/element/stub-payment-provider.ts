import {
  type ChargeSummary,
  type Confirmation,
  type Payer,
  type PaymentFieldFactory,
  type PaymentFieldOptions,
  PaymentMethodType,
  registerPaymentProvider,
} from '../../src/donation-form/payment-fields/index.ts';

/** A payment provider whose field behaves as a test configures it. */
export class StubPaymentProvider {
  readonly mountOptions: PaymentFieldOptions[] = [];
  /** The form's children around the fields. */
  readonly hosts: HTMLElement[] = [];
  readonly updates: ChargeSummary[] = [];
  readonly payers: Payer[] = [];
  readonly actionSecrets: string[] = [];
  destroyCount = 0;
  confirmation: Confirmation;
  /** Runs when the bank requests authentication. */
  handleAction: () => Promise<void> = () => Promise.resolve();
  isBlocked = false;
  /** True if the next fields never finish loading. */
  isSlow = false;

  constructor(
    name: string,
    confirmation: Confirmation = { token: 'tok_own', method: PaymentMethodType.ACH },
  ) {
    this.confirmation = confirmation;
    registerPaymentProvider(name, () => Promise.resolve({ mount: this.#mount }));
  }

  readonly #mount: PaymentFieldFactory = (host, options) => {
    this.mountOptions.push(options);
    if (this.isBlocked) return Promise.reject(new Error('blocked'));
    if (this.isSlow) return new Promise(() => undefined);
    this.hosts.push(host.parentElement!);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Payment details';
    // WebKit's default colors have too little contrast in dark mode.
    button.style.cssText = 'background: white; color: black';
    host.append(button);
    return Promise.resolve({
      update: (charge) => {
        this.updates.push(charge);
      },
      confirm: (payer) => {
        this.payers.push(payer);
        return Promise.resolve(this.confirmation);
      },
      handleNextAction: (secret) => {
        this.actionSecrets.push(secret);
        return this.handleAction();
      },
      focus: () => host.querySelector('button')?.focus(),
      destroy: () => {
        this.destroyCount += 1;
      },
    });
  };
}

/** Returns what is logged with `console.error` while `act` runs. */
export async function collectConsoleErrors(act: () => unknown): Promise<string> {
  const { error } = console;
  const messages: string[] = [];
  console.error = (...args: unknown[]) => {
    messages.push(args.map(String).join(' '));
  };
  try {
    await act();
  } finally {
    console.error = error;
  }
  return messages.join('\n');
}
