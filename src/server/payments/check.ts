import type { OrganizationConfiguration, PaymentConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { isTestPayment, providerName } from './payment-options.ts';
import { fitting } from './stripe/methods.ts';

type StripeConfiguration = Extract<PaymentConfiguration, { provider: 'stripe' }>;

/**
 * Checks that an organisation's ways to pay go together, with each other and with its forms.
 * @param at the organisation's place in the file. @throws {ConfigurationError}
 */
export function checkPayments({ payments, forms }: OrganizationConfiguration, at: string): void {
  const moving = payments.filter(({ provider }) => provider !== 'offline');
  const test = moving.find(isTestPayment);
  const live = moving.find((payment) => !isTestPayment(payment));
  if (test && live)
    throw new ConfigurationError(
      `${at}.payments: found ${providerName(live)}, which moves money, beside ${providerName(test)}, which does not; expected one or the other: a form says of itself as a whole that no money moves`,
    );
  payments.forEach((payment, index) => {
    const place = `${at}.payments.${index}`;
    if (payment.provider === 'offline') checkInstructions(payment, place);
    if (payment.provider !== 'stripe') return;
    const recurring = forms.find(({ frequencies }) =>
      frequencies.some((frequency) => frequency !== 'once'),
    );
    if (recurring && !payment.webhookSecret)
      throw new ConfigurationError(
        `${place}.webhookSecret: found nothing, expected one, since the form ${recurring.id} offers recurring gifts: without webhooks nobody hears of their renewals`,
      );
    for (const { id, currencies } of forms) {
      const odd = currencies.find(({ code }) => fitting(payment.methods, code).length === 0);
      if (odd)
        throw new ConfigurationError(
          `${place}.methods: found ${payment.methods.join(', ')}, expected one that takes ${odd.code}, which the form ${id} offers; card takes all`,
        );
    }
  });
}

function checkInstructions(
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
        `${at}.instructions: found {${unknown}}, expected only {reference} and {total}`,
      );
    if (!names.includes('reference'))
      throw new ConfigurationError(
        `${at}.instructions: found a text without {reference}, expected it in each: without it nobody can tell which gift a transfer is`,
      );
  }
}

/**
 * @throws {ConfigurationError} where a key is one of another kind, or of another mode; no key is
 *   repeated.
 */
export function checkStripeKeys(
  { publicKey }: StripeConfiguration,
  {
    secretKey,
    webhookSecret,
  }: { readonly secretKey: string; readonly webhookSecret: string | undefined },
  at: string,
): void {
  const mode = publicKey.startsWith('pk_test_') ? 'test' : 'live';
  if (!new RegExp(`^(sk|rk)_${mode}_`).test(secretKey))
    throw new ConfigurationError(
      `${at}.secretKey: found another kind or mode of key where it points to, expected one that begins with sk_${mode}_ or rk_${mode}_, as publicKey is of ${mode} mode`,
    );
  if (webhookSecret !== undefined && !webhookSecret.startsWith('whsec_'))
    throw new ConfigurationError(
      `${at}.webhookSecret: found no signing secret where it points to, expected one that begins with whsec_, which Stripe shows with the webhook endpoint`,
    );
}
