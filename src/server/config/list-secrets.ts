import type { Configuration, PaymentConfiguration, SecretName } from '@donation-form/core/schemas';
import { createWebhookSigner } from '../organizations/outbound-webhook-endpoint.ts';
import { assertWebhookSecretIsStrong } from '../organizations/webhook-secret.ts';
import {
  assertStripeKeysMatch,
  assertStripeSigningSecret,
} from '../payments/assert-payments-are-valid.ts';
import { getProviderName } from '../payments/payment-configuration.ts';

/** A secret that the configuration refers to. */
export interface ConfiguredSecret {
  /** Path of the setting in the configuration, such as `admin.key`. */
  readonly place: string;
  readonly name: SecretName;
  /** Purpose of the secret, such as `admin pages and commands`. */
  readonly purpose: string;
  /**
   * Name of the check that tests whether the other server accepts the secret, if there is such a
   * check.
   */
  readonly acceptedBy?: string;
  /** Returns the secret's payment mode. Omitted if the secret has no mode. */
  readonly getMode?: (value: string) => 'test' | 'live';
  /**
   * Validates the secret.
   * @throws {ConfigurationError} if the secret is weak or of the wrong kind.
   */
  readonly assertValid?: (value: string) => void;
}

/** Lists all secrets that the configuration refers to, in the order of the configuration. */
export function listSecrets({ admin, alerts, organizations }: Configuration): ConfiguredSecret[] {
  return [
    ...(admin?.key
      ? [{ place: 'admin.key', name: admin.key, purpose: 'admin pages and commands' }]
      : []),
    ...(alerts?.email?.password
      ? [
          {
            place: 'alerts.email.password',
            name: alerts.email.password,
            purpose: 'sign-in to the SMTP server',
            acceptedBy: 'alerts by email',
          },
        ]
      : []),
    ...(alerts?.webhook
      ? [createSigningSecret('alerts.webhook.secret', alerts.webhook.secret, 'alert signatures')]
      : []),
    ...organizations.flatMap(listOrganizationSecrets),
  ];
}

function listOrganizationSecrets(
  { id, payments, platform, inboundWebhooks, webhooks }: Configuration['organizations'][number],
  index: number,
): ConfiguredSecret[] {
  const at = `organizations.${index}`;
  return [
    ...payments.flatMap((payment, position) =>
      listPaymentSecrets(payment, `${at}.payments.${position}`, id),
    ),
    ...(platform.adapter === 'none'
      ? []
      : [
          {
            place: `${at}.platform.apiKey`,
            name: platform.apiKey,
            purpose: `platform for ${id}`,
            acceptedBy: `platform key for ${id}`,
          },
        ]),
    ...inboundWebhooks.map(({ secret }, position): ConfiguredSecret => {
      const place = `${at}.inboundWebhooks.${position}.secret`;
      return {
        place,
        name: secret,
        purpose: `webhook URL for ${id}'s platform`,
        assertValid: (value) => assertWebhookSecretIsStrong(value, place),
      };
    }),
    ...webhooks.flatMap(({ secret, previousSecret }, position) => {
      const place = `${at}.webhooks.${position}`;
      const purpose = `signatures of webhooks to ${id}'s server`;
      return [
        createSigningSecret(`${place}.secret`, secret, purpose),
        ...(previousSecret
          ? [createSigningSecret(`${place}.previousSecret`, previousSecret, purpose)]
          : []),
      ];
    }),
  ];
}

function listPaymentSecrets(
  payment: PaymentConfiguration,
  place: string,
  organization: string,
): ConfiguredSecret[] {
  const provider = getProviderName(payment);
  const acceptedBy = `${provider} for ${organization}`;
  switch (payment.provider) {
    case 'offline':
    case 'platform':
      return [];
    case 'module':
      return Object.entries(payment.secrets).map(([name, secret]) => ({
        place: `${place}.secrets.${name}`,
        name: secret,
        purpose: `payments to ${organization} through ${provider}`,
        acceptedBy,
        getMode: () => (payment.isTest ? 'test' : 'live'),
      }));
    case 'paypal':
      return [
        {
          place: `${place}.clientSecret`,
          name: payment.clientSecret,
          purpose: `payments to ${organization} through PayPal`,
          acceptedBy,
          getMode: () => (payment.environment === 'sandbox' ? 'test' : 'live'),
        },
      ];
    case 'stripe':
      return [
        {
          place: `${place}.secretKey`,
          name: payment.secretKey,
          purpose: `payments to ${organization} through Stripe`,
          acceptedBy,
          getMode: (value) => (/^[a-z]+_live_/.test(value) ? 'live' : 'test'),
          assertValid: (value) =>
            assertStripeKeysMatch(payment, { secretKey: value, webhookSecret: undefined }, place),
        },
        ...(payment.webhookSecret
          ? [
              {
                place: `${place}.webhookSecret`,
                name: payment.webhookSecret,
                purpose: `Stripe's webhooks to ${organization} (this command cannot verify the value)`,
                acceptedBy: `stripe webhooks for ${organization}`,
                assertValid: (value: string) => assertStripeSigningSecret(value, place),
              },
            ]
          : []),
      ];
  }
}

function createSigningSecret(place: string, name: SecretName, purpose: string): ConfiguredSecret {
  return {
    place,
    name,
    purpose,
    assertValid: (value) => void createWebhookSigner(value, place),
  };
}
