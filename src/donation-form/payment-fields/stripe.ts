import type { ConfirmationToken, Stripe, StripeElements } from '@stripe/stripe-js';
import {
  getStripeMethodFacts,
  type PaymentMethodType,
  toPaymentMethodType,
} from '@donation-form/core/donation';
import { getAppearance } from './appearance.ts';
import { loadStripeForForm } from './load-stripe.ts';
import type {
  ChargeSummary,
  Confirmation,
  Payer,
  PaymentFieldFactory,
  PaymentFieldOptions,
} from './payment-field.ts';
import { toStripeAppearance } from './stripe-appearance.ts';
import { limitCallTime, toStripeProblem } from './stripe-calls.ts';
import { ChargeUpdates, followAppearance, mountElement } from './stripe-elements.ts';
import {
  getAllowedMethods,
  parseMethodTypes,
  toIntentOptions,
  toStripeLocale,
} from './stripe-options.ts';
import type { WalletButtonsFactory } from './wallet-buttons.ts';

export const mountWallets: WalletButtonsFactory = async (...options) => {
  const wallets = await import('./stripe-wallets.ts');
  return wallets.mountStripeWallets(...options);
};

/** Milliseconds to wait after the last change to the email before Link looks up the email. */
const EMAIL_DELAY = 1_000;

/** Mounts Stripe's Payment Element. Payment details never leave Stripe's frames. */
export const mount: PaymentFieldFactory = async (host, mountOptions) => {
  const { options, charge, organization, email } = mountOptions;
  const stripe = await loadStripeForForm(host, options);
  const abortController = new AbortController();
  const allowedTypes = parseMethodTypes(options.methods);
  const hasLink = allowedTypes.includes('link');
  const createIntentOptions = (displayed: ChargeSummary) => ({
    ...toIntentOptions(displayed),
    ...(allowedTypes.length > 0 && {
      allowedPaymentMethodTypes: getAllowedMethods(allowedTypes, displayed),
    }),
  });
  const elements = stripe.elements({
    ...createIntentOptions(charge),
    ...(allowedTypes.includes('us_bank_account') && {
      // Verification with micro-deposits takes days, which is longer than the server waits.
      paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
    }),
    locale: toStripeLocale(mountOptions.language),
    appearance: toStripeAppearance(host),
  });
  // Stripe has no option for the text direction and inherits the direction from the host.
  host.dir = getAppearance(host).direction;
  const hiddenBillingFields = Object.fromEntries(
    mountOptions.collectedByForm.map((name) => [name, 'never' as const]),
  );
  const element = elements.create('payment', {
    business: { name: organization },
    // One method has no tab. An accordion would repeat the name of the form's own row.
    layout: 'tabs',
    // The token includes what the form already collects. Methods that require a billing address ask
    // for it, because it can differ from the donor's.
    fields: { billingDetails: hiddenBillingFields },
    // The form has wallet buttons of its own, unless the organization wants none.
    wallets: { applePay: 'never', googlePay: 'never', link: hasLink ? 'auto' : 'never' },
    // Link recognizes returning donors by their email.
    ...(hasLink && email !== undefined && { defaultValues: { billingDetails: { email } } }),
  });
  const updates = new ChargeUpdates(charge, (changed) =>
    elements.update(createIntentOptions(changed)),
  );
  let emailTimer: ReturnType<typeof setTimeout> | undefined;
  let selectedType = '';
  element.on('change', ({ value }) => {
    selectedType = value.type;
    mountOptions.selectMethod(toPaymentMethodType(value.type));
  });
  await mountElement<unknown>(element, {
    host,
    name: 'payment field',
    advice: ', and make sure that these methods are enabled in Stripe for this currency',
    requestSubmit: mountOptions.requestSubmit,
  });
  followAppearance(elements, host, abortController.signal);

  return {
    update: (changed) => {
      // The form shows the field again when its method supports the charge.
      if (allowedTypes.length === 0 || getAllowedMethods(allowedTypes, changed).length > 0)
        updates.update(changed);
    },
    updateEmail: (changedEmail) => {
      if (!hasLink) return;
      clearTimeout(emailTimer);
      emailTimer = setTimeout(
        () => element.update({ defaultValues: { billingDetails: { email: changedEmail } } }),
        EMAIL_DELAY,
      );
    },
    confirm: async (payer) => {
      // Stripe rejects a token that was created for another amount.
      await limitCallTime(updates.complete(), 'update the amount');
      return createToken(stripe, elements, { ...mountOptions, payer, selectedType });
    },
    handleNextAction: async (secret) => {
      // No time limit applies, because the donor might be authenticating with their bank.
      await stripe
        .handleNextAction({ clientSecret: secret })
        .catch((error: unknown) =>
          console.error('donation-form: Stripe could not start the authentication.', error),
        );
    },
    focus: () => element.focus(),
    destroy: () => {
      abortController.abort();
      clearTimeout(emailTimer);
      element.destroy();
    },
  };
};

interface TokenDetails extends Pick<PaymentFieldOptions, 'collectedByForm' | 'methods'> {
  readonly payer: Payer;
  /** Stripe's name of the selected payment method, or an empty string. */
  readonly selectedType: string;
}

async function createToken(
  stripe: Stripe,
  elements: StripeElements,
  { payer: { name, email, returnUrl }, selectedType, collectedByForm, methods }: TokenDetails,
): Promise<Confirmation> {
  // No time limit applies to a dialog, such as Apple Pay's, which can take the donor minutes.
  const facts = getStripeMethodFacts(selectedType);
  const limitInlineCall = <Result>(call: Promise<Result>, action: string): Promise<Result> =>
    facts && !facts.opensDialog ? limitCallTime(call, action) : call;
  const submission = await limitInlineCall(elements.submit(), 'check the payment details');
  if (submission.error) return toStripeProblem(submission.error);
  const billingDetails = Object.fromEntries(
    Object.entries({ name, email }).filter(
      ([field, value]) =>
        value !== undefined && collectedByForm.some((collected) => collected === field),
    ),
  );
  const { confirmationToken, error } = await limitInlineCall(
    stripe.createConfirmationToken({
      elements,
      params: {
        ...(returnUrl !== undefined && { return_url: returnUrl }),
        ...(collectedByForm.length > 0 && {
          payment_method_data: { billing_details: billingDetails },
        }),
      },
    }),
    'create a token',
  );
  return error
    ? toStripeProblem(error)
    : { token: confirmationToken.id, method: toOfferedPaymentMethod(confirmationToken, methods) };
}

/** Returns the form's first method if the form does not offer the token's. */
function toOfferedPaymentMethod(
  { payment_method_preview: { type, card } }: ConfirmationToken,
  methods: readonly PaymentMethodType[],
): PaymentMethodType {
  const method = toPaymentMethodType(type, Boolean(card?.wallet));
  return methods.includes(method) ? method : (methods[0] ?? method);
}
