import type { Appearance, ConfirmationToken, StripeElements } from '@stripe/stripe-js';
import {
  getStripeMethodFacts,
  toPaymentMethodType,
  type PaymentMethodType,
} from '@donation-form/core/donation';
import { getAppearance, observeAppearance } from './appearance.ts';
import { getAllowedMethods, getMethodOrder } from './stripe-methods.ts';
import type { Confirmation, PaymentFieldFactory, Payer, ChargeSummary } from './payment-field.ts';
import type { WalletButtonsFactory } from './wallet-buttons.ts';
import { loadStripeForForm } from './load-stripe.ts';
import { toStripeAppearance } from './stripe-appearance.ts';
import { LOAD_TIMEOUT, limitCallTime, toStripeProblem, runAsync } from './stripe-calls.ts';
import { addStripeForm } from './stripe-form.ts';
import {
  parseMethodTypes,
  toApplePayRecurringRequest,
  toIntentOptions,
  toStripeLocale,
  type ApplePayOption,
} from './stripe-options.ts';

/** Loads and mounts Stripe's wallet buttons. */
export const mountWallets: WalletButtonsFactory = async (...options) => {
  const wallets = await import('./stripe-wallets.ts');
  return wallets.mountWallets(...options);
};

/** Milliseconds to wait after the last change to the email before Link looks up the email. */
const EMAIL_DELAY = 1_000;

/** Mounts Stripe's Payment Element. Payment details never leave Stripe's frames. */
export const mount: PaymentFieldFactory = async (
  host,
  {
    options,
    methods,
    charge,
    organization,
    collectedByForm,
    language,
    email,
    manageUrl,
    hasWallets,
    selectMethod,
    requestSubmit,
  },
) => {
  const { methodOrder } = options;
  const stripe = await loadStripeForForm(host, options);
  const abortController = new AbortController();
  const createAppearance = (): Appearance => toStripeAppearance(host);
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
      // Disables verification with micro-deposits. This verification takes days, which is longer
      // than the server waits.
      paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
    }),
    locale: toStripeLocale(language),
    appearance: createAppearance(),
  });
  // Stripe has no option for the text direction and inherits the direction from the host.
  host.dir = getAppearance(host).direction;
  const hiddenBillingFields = Object.fromEntries(
    collectedByForm.map((name) => [name, 'never' as const]),
  );
  const createApplePayOption = (displayed: ChargeSummary): ApplePayOption =>
    toApplePayRecurringRequest(displayed, organization, manageUrl);
  let order = getMethodOrder(allowedTypes, methodOrder, charge);
  const element = elements.create('payment', {
    business: { name: organization },
    // Hides fields for details that the form already collects. The token includes these details. If
    // the payment method requires a billing address, Stripe asks for one, because the billing
    // address can differ from the donor's address.
    fields: { billingDetails: hiddenBillingFields },
    wallets: {
      applePay: hasWallets ? 'never' : 'auto',
      googlePay: hasWallets ? 'never' : 'auto',
      link: hasLink ? 'auto' : 'never',
    },
    applePay: createApplePayOption(charge),
    ...(order.length > 0 && { paymentMethodOrder: order }),
    // Link recognizes returning donors by their email.
    ...(hasLink && email !== undefined && { defaultValues: { billingDetails: { email } } }),
  });
  let displayedCharge = charge;
  /**
   * Latest charge update. Stripe rejects a token created for another amount, so `confirm` waits for
   * this update.
   */
  let pendingUpdate: Promise<unknown> | undefined = Promise.resolve();
  let emailTimer: ReturnType<typeof setTimeout> | undefined;
  let selectedType: string | undefined;

  const updateCharge = (): void => {
    const update = (pendingUpdate = runAsync(async () => {
      await elements.update(createIntentOptions(displayedCharge));
      const previousOrder = order;
      order = getMethodOrder(allowedTypes, methodOrder, displayedCharge);
      element.update({
        applePay: createApplePayOption(displayedCharge),
        ...(order.join() !== previousOrder.join() && { paymentMethodOrder: order }),
      });
    }));
    // After a failed update, the next confirmation starts another update.
    update.catch(() => {
      if (pendingUpdate === update) pendingUpdate = undefined;
    });
  };

  await limitCallTime(
    new Promise<void>((resolve, reject) => {
      element.on('ready', () => resolve());
      element.on('change', ({ value }) => {
        selectedType = value.type;
        selectMethod(toPaymentMethodType(value.type));
      });
      element.on('loaderror', ({ error }) =>
        reject(
          new Error(
            `Stripe rejected the payment field: ${error.message ?? error.type}. Check "publicKey" ` +
              `and "methods" of this payment provider in the server's configuration, and make sure that these ` +
              `methods are enabled in Stripe for this currency.`,
          ),
        ),
      );
      element.mount(addStripeForm(host, requestSubmit));
    }),
    'show the payment field',
    LOAD_TIMEOUT,
  ).catch((error: unknown) => {
    element.destroy();
    throw error;
  });
  observeAppearance(
    host,
    () =>
      void runAsync(() => elements.update({ appearance: createAppearance() })).catch(
        (error: unknown) => console.error("donation-form: Cannot change Stripe's colors.", error),
      ),
    abortController.signal,
  );

  return {
    update: (changed) => {
      displayedCharge = changed;
      updateCharge();
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
      if (!pendingUpdate) updateCharge();
      await limitCallTime(pendingUpdate!, 'update the amount');
      return createToken(elements, payer);
    },
    handleNextAction: async (secret) => {
      // The server gets the outcome from Stripe. No time limit applies, because the donor might be
      // authenticating with their bank.
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

  async function createToken(
    elementGroup: StripeElements,
    { name, email: payerEmail, returnUrl }: Payer,
  ): Promise<Confirmation> {
    // Apple Pay, Google Pay, and some other methods open a dialog. No time limit applies to a
    // dialog, because the donor might take minutes to complete it.
    const facts = getStripeMethodFacts(selectedType ?? '');
    const limitInlineCall = <Result>(call: Promise<Result>, action: string): Promise<Result> =>
      facts && !facts.opensDialog ? limitCallTime(call, action) : call;
    const submission = await limitInlineCall(elementGroup.submit(), 'check the payment details');
    if (submission.error) return toStripeProblem(submission.error);
    const billingDetails = Object.fromEntries(
      Object.entries({ name, email: payerEmail }).filter(
        ([field, value]) => value !== undefined && collectedByForm.some((name) => name === field),
      ),
    );
    const { confirmationToken, error } = await limitInlineCall(
      stripe.createConfirmationToken({
        elements: elementGroup,
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
};

/**
 * Returns the token's payment method, or the form's first method if the form does not offer the
 * token's method.
 */
function toOfferedPaymentMethod(
  { payment_method_preview: { type, card } }: ConfirmationToken,
  methods: readonly PaymentMethodType[],
): PaymentMethodType {
  const method = toPaymentMethodType(type, Boolean(card?.wallet));
  return methods.includes(method) ? method : (methods[0] ?? method);
}
