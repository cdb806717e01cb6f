import { type ConfigPath, getTextAtPath, type Json, readConfigValue } from './config-path.ts';

/** Configuration for a new form that uses the sandbox. The user must fill in the empty values. */
export const STARTER_CONFIGURATION: Json = {
  listen: { host: '127.0.0.1', port: 4101 },
  admin: { port: 4103, key: { env: 'ADMIN_KEY' } },
  database: 'donations.sqlite',
  organizations: [
    {
      id: '',
      name: '',
      contact: '',
      origins: [],
      payments: [
        {
          provider: 'stripe',
          apiUrl: 'http://127.0.0.1:4102/stripe',
          scriptUrl: 'http://127.0.0.1:4102/stripe/stripe.js',
          publicKey: 'pk_test_sandbox',
          secretKey: { env: 'PAYMENT_SECRET_KEY' },
          webhookSecret: { env: 'PAYMENT_WEBHOOK_SECRET' },
        },
      ],
      platform: {
        adapter: 'sandbox',
        baseUrl: 'http://127.0.0.1:4102',
        apiKey: { env: 'FUNDRAISING_API_KEY' },
      },
      forms: [
        {
          id: 'main',
          currencies: [
            {
              code: 'USD',
              minimum: '5',
              maximum: '10000',
              giftArray: [{ value: '25' }, { value: '50', isDefault: true }, { value: '100' }],
            },
          ],
          frequencies: ['once', 'monthly'],
          projects: [{ id: '1', name: '' }],
          donorFields: { firstName: 'required', lastName: 'required', email: 'required' },
        },
      ],
    },
  ],
};

/** Describes the sandbox that a form uses, unless the user changed the payments or the platform. */
export function describeSandboxUse(
  configuration: Json,
  organization: ConfigPath,
): string | undefined {
  const isUnchanged = (name: string): boolean =>
    JSON.stringify(readConfigValue(configuration, `${organization}.${name}`)) ===
    JSON.stringify(readConfigValue(STARTER_CONFIGURATION, `organizations.0.${name}`));
  if (!isUnchanged('payments') || !isUnchanged('platform')) return undefined;
  const sandboxUrl = getTextAtPath(configuration, `${organization}.platform.baseUrl`);
  const port = getTextAtPath(configuration, 'listen.port');
  const adminPort = getTextAtPath(configuration, 'admin.port');
  const adminPage = adminPort === '' ? '' : `, and the admin pages use port ${adminPort}`;
  return (
    `This form uses the sandbox at ${sandboxUrl} on the same machine, so no money moves. ` +
    `The server uses port ${port}${adminPage}. Before you go live, set your payment ` +
    'provider, platform, and ports in the file. See docs/server/payments.md, docs/server/platform.md, and ' +
    'docs/reference/configuration.md.'
  );
}
