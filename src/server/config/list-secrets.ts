import type { Configuration, SecretName } from '@donation-form/core/schemas';
import { parseDkimKey } from '../organizations/mail-settings.ts';
import { createWebhookSigner } from '../organizations/outbound-webhook-endpoint.ts';
import { assertWebhookSecretIsStrong } from '../organizations/webhook-source.ts';
import type { ConfiguredSecret } from '../payments/payment-provider.ts';
import { getPaymentProvider } from '../payments/payment-providers.ts';

type PossibleSecret = Omit<ConfiguredSecret, 'name'> & { readonly name: SecretName | undefined };

export function listSecrets({ admin, alerts, organizations }: Configuration): ConfiguredSecret[] {
  const secrets: PossibleSecret[] = [
    { place: 'admin.key', name: admin?.key, purpose: 'admin pages and commands' },
    {
      place: 'admin.openIdConnect.clientSecret',
      name: admin?.openIdConnect?.clientSecret,
      purpose: 'sign-in with the identity provider',
    },
    {
      place: 'alerts.email.password',
      name: alerts?.email?.password,
      purpose: 'sign-in to the SMTP server',
      acceptedBy: 'alerts by email',
    },
    createSigningSecret('alerts.webhook.secret', alerts?.webhook?.secret, 'alert signatures'),
    ...organizations.flatMap(listOrganizationSecrets),
  ];
  return secrets.filter((secret): secret is ConfiguredSecret => secret.name !== undefined);
}

function listOrganizationSecrets(
  {
    id,
    payments,
    platform,
    inboundWebhooks,
    webhooks,
    mail,
  }: Configuration['organizations'][number],
  index: number,
): PossibleSecret[] {
  const at = `organizations.${index}`;
  return [
    ...payments.flatMap((payment, position) => {
      const provider = getPaymentProvider(payment);
      return provider.listSecrets?.(payment, `${at}.payments.${position}`, id) ?? [];
    }),
    {
      place: `${at}.platform.apiKey`,
      name: platform.adapter === 'none' ? undefined : platform.apiKey,
      purpose: `platform for ${id}`,
      acceptedBy: `platform key for ${id}`,
    },
    {
      place: `${at}.mail.password`,
      name: mail?.password,
      purpose: `sign-in to the SMTP server of ${id}`,
      acceptedBy: `mail for ${id}`,
    },
    {
      place: `${at}.mail.dkim.privateKey`,
      name: mail?.dkim?.privateKey,
      purpose: `DKIM signatures of mail from ${id}`,
      assertValid: (value) => void parseDkimKey(value, `${at}.mail.dkim.privateKey`),
    },
    {
      place: `${at}.mail.eventSecret`,
      name: mail?.eventSecret,
      purpose: `reports of bounced mail from ${id}`,
      assertValid: (value) => assertWebhookSecretIsStrong(value, `${at}.mail.eventSecret`),
    },
    ...inboundWebhooks.map(({ secret }, position) => {
      const place = `${at}.inboundWebhooks.${position}.secret`;
      return {
        place,
        name: secret,
        purpose: `webhook URL for ${id}'s platform`,
        assertValid: (value: string) => assertWebhookSecretIsStrong(value, place),
      };
    }),
    ...webhooks.flatMap(({ secret, previousSecret }, position) => {
      const place = `${at}.webhooks.${position}`;
      const purpose = `signatures of webhooks to ${id}'s server`;
      return [
        createSigningSecret(`${place}.secret`, secret, purpose),
        createSigningSecret(`${place}.previousSecret`, previousSecret, purpose),
      ];
    }),
  ];
}

function createSigningSecret(
  place: string,
  name: SecretName | undefined,
  purpose: string,
): PossibleSecret {
  return {
    place,
    name,
    purpose,
    assertValid: (value) => void createWebhookSigner(value, place),
  };
}
