import type { Configuration, SecretName } from '@donation-form/core/schemas';
import { createWebhookSigner } from '../organizations/outbound-webhook-endpoint.ts';
import { assertWebhookSecretIsStrong } from '../organizations/webhook-source.ts';
import type { ConfiguredSecret } from '../payments/payment-provider.ts';
import { getPaymentProvider } from '../payments/payment-providers.ts';

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
    ...payments.flatMap((payment, position) => {
      const provider = getPaymentProvider(payment);
      return provider.listSecrets?.(payment, `${at}.payments.${position}`, id) ?? [];
    }),
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

function createSigningSecret(place: string, name: SecretName, purpose: string): ConfiguredSecret {
  return {
    place,
    name,
    purpose,
    assertValid: (value) => void createWebhookSigner(value, place),
  };
}
