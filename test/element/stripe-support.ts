import { aTimeout, expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import {
  fillDonor,
  findElement,
  getSubmitButton,
  getText,
  testPage,
  waitUntil,
} from './support.ts';

type FaultyCall = 'ready' | 'update' | 'submit' | 'createConfirmationToken' | 'handleNextAction';

/** A stub of Stripe.js that records its calls. */
export class StubStripe {
  /** Calls that reject, or that stay pending until the test calls `answer`. */
  readonly faults: Partial<Record<FaultyCall, 'reject' | 'silent' | undefined>> = {};
  answer: () => void = () => undefined;
  /** Selects a payment method in the last mounted field. */
  select: (type: string) => void = () => undefined;
  readonly calls: [call: string, ...values: unknown[]][] = [];
  /** Forms that have mounted a field. */
  readonly mountingForms = new Set<Element | null>();
  submitted: object = { selectedPaymentMethod: 'card' };
  token: object = {
    confirmationToken: {
      id: 'ctoken_1',
      payment_method_preview: { type: 'card', card: { wallet: null } },
    },
  };
  loadError: object | undefined;
  readonly of = (call: string): unknown[][] =>
    this.calls.filter(([name]) => name === call).map(([, ...values]) => values);

  async #simulateFault(call: FaultyCall): Promise<void> {
    if (this.faults[call] === 'reject') throw new Error(`${call} failed`);
    if (this.faults[call] !== 'silent') return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.answer = () => resolve(undefined);
    await promise;
  }

  createStripe(...values: unknown[]): object {
    this.calls.push(['Stripe', ...values]);
    return {
      elements: (options: unknown) => {
        this.calls.push(['elements', options]);
        return {
          create: (kind: string, created: unknown) => {
            this.calls.push(['create', kind, created]);
            const handlers: Record<string, (event: object) => void> = {};
            return {
              on: (name: string, then: (event: object) => void) => {
                handlers[name] = then;
              },
              mount: (host: HTMLElement) => {
                this.calls.push(['mount', host]);
                this.select = (type) => handlers.change!({ value: { type } });
                this.mountingForms.add(host.closest('donation-form'));
                setTimeout(() => {
                  if (this.loadError) handlers.loaderror!({ error: this.loadError });
                  else void this.#simulateFault('ready').then(() => handlers.ready!({}));
                });
              },
              update: (changes: object) => this.calls.push(['updateElement', changes]),
              focus: () => this.calls.push(['focus']),
              destroy: () => this.calls.push(['destroy']),
            };
          },
          update: async (changes: object) => {
            const isAppearance = 'appearance' in changes;
            this.calls.push([isAppearance ? 'dress' : 'update', changes]);
            if (isAppearance) return;
            await this.#simulateFault('update');
            await aTimeout(20);
            this.calls.push(['updated']);
          },
          submit: () => {
            this.calls.push(['submit']);
            return this.#simulateFault('submit').then(() => this.submitted);
          },
        };
      },
      createConfirmationToken: ({ params }: { params: unknown }) => {
        this.calls.push(['createConfirmationToken', params]);
        return this.#simulateFault('createConfirmationToken').then(() => this.token);
      },
      handleNextAction: (options: unknown) => {
        this.calls.push(['handleNextAction', options]);
        return this.#simulateFault('handleNextAction').then(() => ({
          error: { type: 'card_error' },
        }));
      },
    };
  }
}

let stripe = new StubStripe();
Object.assign(window, { Stripe: (...values: unknown[]) => stripe.createStripe(...values) });

/** Makes `window.Stripe` a new stub. */
export const installStubStripe = (): StubStripe => (stripe = new StubStripe());

export const createStripeForm = (
  options: Readonly<Record<string, string>> = {},
  changes: Partial<FormDefinition> = {},
  hasHostedCheckout = false,
): FormDefinition => ({
  ...exampleForm,
  ...changes,
  payments: [
    {
      provider: 'stripe',
      methods: [0, 1, 4],
      hasField: true,
      hasHostedCheckout,
      hasCustomerPortal: true,
      options: { publicKey: 'pk_live_1', methods: 'card, us_bank_account', ...options },
    },
  ],
});

/** Shows a form and waits until Stripe's field is mounted. */
export async function showStripeForm(
  attributes: Readonly<Record<string, string>> = {},
): Promise<DonationFormElement> {
  const form = await testPage.showForm('', attributes);
  // The form of the previous test might still mount a field after a declined payment.
  await waitUntil(() => stripe.mountingForms.has(form));
  await aTimeout(30);
  return form;
}

/** Shows a form with the donor's name and email, and waits until Stripe's field is mounted. */
export async function showFilledStripeForm(): Promise<DonationFormElement> {
  const form = await showStripeForm();
  fillDonor(form);
  return form;
}

/** Expects that the donor can submit the form again with their input. */
export const expectUsable = (form: DonationFormElement): void => {
  expect([
    getSubmitButton(form).ariaDisabled,
    form.shadowRoot!.querySelector('.sections[inert]'),
    findElement(form, '[name=email]').value,
    getText(form, '#notice').includes("You haven't been charged."),
  ]).to.deep.equal([null, null, 'ana@example.org', true]);
};
