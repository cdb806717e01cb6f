import type {
  BillingDetails,
  ExpressCheckoutPaymentMethodsOption,
  StripeError,
  StripeExpressCheckoutElementReadyEvent,
} from '@stripe/stripe-js';
import { PaymentMethodType } from '@donation-form/core/donation';
import { toStripeAmount } from '@donation-form/core/money';
import { stringifyJson } from '../page/stringify-json.ts';
import { getAppearance } from './appearance.ts';
import { loadStripeForForm } from './load-stripe.ts';
import type { Confirmation } from './payment-field.ts';
import { toStripeAppearance } from './stripe-appearance.ts';
import { limitCallTime, toStripeProblem } from './stripe-calls.ts';
import { ChargeUpdates, followAppearance, mountElement } from './stripe-elements.ts';
import {
  getAllowedMethods,
  parseMethodTypes,
  toApplePayRecurringRequest,
  toIntentOptions,
  toStripeLocale,
} from './stripe-options.ts';
import { withTimeLimit } from './time-limit.ts';
import type {
  WalletButtonsFactory,
  WalletButtonsOptions,
  WalletCharge,
  WalletDonor,
} from './wallet-buttons.ts';

/** Milliseconds for an amount update. Stripe allows one second before the wallet must open. */
const CLICK_TIMEOUT = 800;

const BUTTONS = {
  card: ['applePay', 'googlePay'],
  link: ['link'],
  paypal: ['paypal'],
  amazon_pay: ['amazonPay'],
} as const;

/** In an Elements group of its own, because its total can differ from that of other methods. */
export const mountStripeWallets: WalletButtonsFactory = async (host, mountOptions) => {
  const { options, charge, organization, manageUrl, language } = mountOptions;
  const stripe = await loadStripeForForm(host, options);
  const types = getWalletTypes(options.methods);
  const createIntentOptions = (displayed: WalletCharge) => ({
    ...toIntentOptions(displayed),
    allowedPaymentMethodTypes: getAllowedMethods(types, displayed),
  });
  const elements = stripe.elements({
    ...createIntentOptions(charge),
    locale: toStripeLocale(language),
    appearance: toStripeAppearance(host),
  });
  host.dir = getAppearance(host).direction;
  const element = elements.create('expressCheckout', {
    business: { name: organization },
    buttonHeight: 48,
    // Plain buttons show no text. The form's own label above the buttons is in the form's language.
    buttonType: { applePay: 'plain', googlePay: 'plain' },
    layout: { maxRows: 1, overflow: 'auto' },
    paymentMethods: toPaymentMethodsOption(types),
    ...toRequiredDetailsOptions(mountOptions),
  });
  const abortController = new AbortController();
  const updates = new ChargeUpdates(charge, (changed) =>
    elements.update(createIntentOptions(changed)),
  );
  const { availablePaymentMethods } = await mountElement<StripeExpressCheckoutElementReadyEvent>(
    element,
    { host, name: 'wallet buttons' },
  );
  const isAvailable = Object.values(availablePaymentMethods ?? {}).some(Boolean);
  if (!isAvailable) {
    element.destroy();
    return undefined;
  }

  element.on('click', ({ resolve, reject }) => {
    const opened = mountOptions.openWallet();
    if (!opened) return reject();
    const open = (): void =>
      resolve({
        lineItems: opened.items.map(({ name, amount }) => ({
          name,
          amount: toStripeAmount(amount, opened.currency, opened.decimals),
        })),
        applePay: toApplePayRecurringRequest(opened, organization, manageUrl),
      });
    if (stringifyJson(opened) !== stringifyJson(updates.charge)) updates.update(opened);
    // The wallet shows the amount from the last completed update.
    const update = updates.complete();
    if (updates.isComplete) return open();
    withTimeLimit(update, CLICK_TIMEOUT, 'Stripe did not update the amount.').then(
      open,
      (error: unknown) => {
        console.error('donation-form: Cannot open the wallet.', error);
        reject();
        mountOptions.cancelWallet();
      },
    );
  });
  element.on('cancel', () => mountOptions.cancelWallet());
  element.on('confirm', ({ billingDetails, paymentFailed }) =>
    mountOptions.approvePayment({
      donor: toWalletDonor(billingDetails),
      createToken,
      fail: () => paymentFailed({ reason: 'fail' }),
    }),
  );
  followAppearance(elements, host, abortController.signal);

  async function createToken(returnUrl: string | undefined): Promise<Confirmation> {
    const submission = await limitCallTime(elements.submit(), 'check the wallet');
    if (submission.error) return toWalletProblem(submission.error);
    const { confirmationToken, error } = await limitCallTime(
      stripe.createConfirmationToken({
        elements,
        ...(returnUrl !== undefined && { params: { return_url: returnUrl } }),
      }),
      'create a token',
    );
    return error
      ? toWalletProblem(error)
      : { token: confirmationToken.id, method: PaymentMethodType.Wallet };
  }

  return {
    methods: types.filter((type) => BUTTONS[type].some((name) => availablePaymentMethods?.[name])),
    update: (changed) => updates.update(changed),
    focus: () => element.focus(),
    destroy: () => {
      abortController.abort();
      element.destroy();
    },
  };
};

function getWalletTypes(methods: string | undefined): (keyof typeof BUTTONS)[] {
  const offered = parseMethodTypes(methods);
  return (Object.keys(BUTTONS) as (keyof typeof BUTTONS)[]).filter(
    (type) => offered.length === 0 || offered.includes(type),
  );
}

/** Turns off the wallets that the form does not offer. Stripe shows all wallets by default. */
function toPaymentMethodsOption(
  types: readonly (keyof typeof BUTTONS)[],
): ExpressCheckoutPaymentMethodsOption {
  const offered: readonly string[] = types.flatMap((type) => BUTTONS[type]);
  return Object.fromEntries(
    [...Object.values(BUTTONS).flat(), 'klarna'].map((name) => [
      name,
      offered.includes(name) ? 'auto' : 'never',
    ]),
  );
}

/** Stripe returns the donor's name only with the billing address. */
function toRequiredDetailsOptions({ details }: WalletButtonsOptions) {
  return {
    emailRequired: details.includes('email'),
    phoneNumberRequired: details.includes('phone'),
    billingAddressRequired: details.includes('name') || details.includes('address'),
  };
}

function toWalletDonor({ name, email, phone, address }: Partial<BillingDetails> = {}): WalletDonor {
  return {
    name,
    email,
    phone,
    address: address && {
      line1: address.line1,
      line2: address.line2 ?? undefined,
      city: address.city,
      state: address.state,
      postal: address.postal_code,
      country: address.country,
    },
  };
}

/** Donors cannot correct input in a wallet, so `incomplete` becomes `failed`. */
function toWalletProblem(error: StripeError): Confirmation {
  const confirmation = toStripeProblem(error);
  return 'problem' in confirmation && confirmation.problem === 'incomplete'
    ? { problem: 'failed' }
    : confirmation;
}
