import type { OrganizationConfiguration, PaymentConfiguration } from '@donation-form/core/schemas';
import { filterStripeMethods } from '@donation-form/core/donation';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { isTestPayment, getProviderName } from './payment-configuration.ts';
import { getPayPalDecimals } from './paypal/amounts.ts';

type StripeConfiguration = Extract<PaymentConfiguration, { provider: 'stripe' }>;
type PayPalConfiguration = Extract<PaymentConfiguration, { provider: 'paypal' }>;

/**
 * Checks that an organization's payment methods are compatible with each other and with its forms.
 * @param at the organization's path in the configuration file.
 * @throws {ConfigurationError} if the payment methods are incompatible.
 */
export function assertPaymentsAreValid(
  { payments, forms }: OrganizationConfiguration,
  at: string,
): void {
  const moneyMoving = payments.filter(({ provider }) => provider !== 'offline');
  const test = moneyMoving.find(isTestPayment);
  const live = moneyMoving.find((payment) => !isTestPayment(payment));
  if (test && live)
    throw new ConfigurationError(
      `${at}.payments: found ${getProviderName(live)} in live mode and ` +
        `${getProviderName(test)} in test mode; expected all payment providers in the same ` +
        'mode, because a form is either live or in test mode',
    );
  payments.forEach((payment, index) => {
    const place = `${at}.payments.${index}`;
    if (payment.provider === 'offline') assertPlaceholdersAreKnown(payment, place);
    if (payment.provider === 'paypal')
      assertPayPalSettingsAreValid(payment, { payments, forms }, place);
    if (payment.provider !== 'stripe') return;
    const recurring = findRecurringForm(forms);
    if (recurring && !payment.webhookSecret)
      throw new ConfigurationError(
        `${place}.webhookSecret: found nothing; expected a signing secret. The ` +
          `${recurring.id} form offers recurring donations, and Stripe reports renewals by ` +
          'webhook',
      );
    for (const form of forms) assertMethodsSupportForm(payment, form, place);
  });
}

/**
 * Checks that donors can pay in each of the form's currencies, both once and, if the form offers
 * recurring donations, on a schedule.
 */
function assertMethodsSupportForm(
  { methods }: StripeConfiguration,
  { id, currencies, frequencies }: OrganizationConfiguration['forms'][number],
  at: string,
): void {
  for (const isRecurring of new Set(frequencies.map((frequency) => frequency !== 'once'))) {
    const unsupported = currencies.find(
      ({ code }) => filterStripeMethods(methods, code, isRecurring).length === 0,
    );
    if (unsupported)
      throw new ConfigurationError(
        `${at}.methods: found ${methods.join(', ')}; expected at least one method that supports ` +
          `${isRecurring ? 'recurring donations in ' : ''}${unsupported.code}, which the ` +
          `${id} form offers. Add card, which supports all currencies`,
      );
  }
}

function findRecurringForm(
  forms: OrganizationConfiguration['forms'],
): OrganizationConfiguration['forms'][number] | undefined {
  return forms.find(({ frequencies }) => frequencies.some((frequency) => frequency !== 'once'));
}

function assertPayPalSettingsAreValid(
  { environment, apiUrl, webhookId }: PayPalConfiguration,
  { payments, forms }: Pick<OrganizationConfiguration, 'payments' | 'forms'>,
  at: string,
): void {
  if (apiUrl !== undefined && environment === 'live')
    throw new ConfigurationError(
      `${at}.apiUrl: found ${JSON.stringify(apiUrl)} in the live environment; expected it ` +
        'only in the sandbox environment, because the server at this URL replaces PayPal. ' +
        'Remove apiUrl, or use a sandbox app',
    );
  const stripe = payments.findIndex(
    (payment) => payment.provider === 'stripe' && payment.methods.includes('paypal'),
  );
  if (stripe >= 0)
    throw new ConfigurationError(
      `${at}: found PayPal here and in payments.${stripe}.methods (stripe); expected PayPal ` +
        'only once, because donors cannot tell the two apart. Remove PayPal from one of them',
    );
  const recurring = findRecurringForm(forms);
  if (recurring && webhookId === undefined)
    throw new ConfigurationError(
      `${at}.webhookId: found nothing; expected the ID of a webhook. The ${recurring.id} ` +
        'form offers recurring donations, and PayPal reports renewals by webhook',
    );
  for (const { id, currencies } of forms)
    for (const { code } of currencies)
      if (getPayPalDecimals(code) === undefined)
        throw new ConfigurationError(
          `${at}: PayPal does not support ${code}, which the ${id} form offers. Remove the ` +
            'currency from that form, or offer the currency in a form for an organization ' +
            'without PayPal',
        );
}

function assertPlaceholdersAreKnown(
  { instructions }: Extract<PaymentConfiguration, { provider: 'offline' }>,
  at: string,
): void {
  for (const text of typeof instructions === 'string'
    ? [instructions]
    : Object.values(instructions)) {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const unknown = names.find((name) => name !== 'reference' && name !== 'total');
    if (unknown !== undefined)
      throw new ConfigurationError(
        `${at}.instructions: found {${unknown}}; expected only {reference} and {total}`,
      );
    if (!names.includes('reference'))
      throw new ConfigurationError(
        `${at}.instructions: found text without {reference}; expected {reference} in each ` +
          'language, because the reference links a transfer to its donation',
      );
  }
}

/**
 * Checks the types and modes of Stripe's keys and secrets, and rejects live keys if the sandbox
 * replaces Stripe.
 * @throws {ConfigurationError} if a key or secret is invalid. The message contains no key.
 */
export function assertStripeKeysMatch(
  { publicKey, apiUrl, scriptUrl }: StripeConfiguration,
  {
    secretKey,
    webhookSecret,
  }: { readonly secretKey: string; readonly webhookSecret: string | undefined },
  at: string,
): void {
  for (const [name, url] of Object.entries({ apiUrl, scriptUrl }))
    if (url !== undefined && [publicKey, secretKey].some(isLiveKey))
      throw new ConfigurationError(
        `${at}.${name}: found ${JSON.stringify(url)} and a live key; expected only test ` +
          `keys, because the sandbox at this URL replaces Stripe. Remove ${name}, or use keys ` +
          'that start with pk_test_ and sk_test_',
      );
  const mode = publicKey.startsWith('pk_test_') ? 'test' : 'live';
  if (!new RegExp(`^(sk|rk)_${mode}_`).test(secretKey))
    throw new ConfigurationError(
      `${at}.secretKey: found a key of another type or mode; expected one that starts with ` +
        `sk_${mode}_ or rk_${mode}_, because publicKey is in ${mode} mode`,
    );
  if (webhookSecret !== undefined) assertStripeSigningSecret(webhookSecret, at);
}

/**
 * Checks the format of a webhook signing secret.
 * @throws {ConfigurationError} if the format is invalid. The message does not contain the secret.
 */
export function assertStripeSigningSecret(webhookSecret: string, at: string): void {
  if (!webhookSecret.startsWith('whsec_'))
    throw new ConfigurationError(
      `${at}.webhookSecret: found a value that is not a signing secret; expected one that ` +
        'starts with whsec_. Copy the secret from the webhook endpoint in the Stripe Dashboard',
    );
}

const isLiveKey = (key: string): boolean => /^[a-z]+_live_/.test(key);
