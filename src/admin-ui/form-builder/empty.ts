import { textAt, valueAt, type Json, type Place } from './file.ts';

/**
 * A configuration to begin with: the sandbox takes and records its gifts, and what is empty is to
 * be filled in.
 */
export const EMPTY: Json = {
  listen: { host: '127.0.0.1', port: 4101 },
  operator: { port: 4103, key: { env: 'OPERATOR_KEY' } },
  store: 'donations.sqlite',
  organizations: [
    {
      id: '',
      name: '',
      contact: '',
      origins: [],
      payments: [
        {
          provider: 'sandbox',
          baseUrl: 'http://127.0.0.1:4102/processor',
          publicKey: 'pk_sandbox',
          secretKey: { env: 'PAYMENT_SECRET_KEY' },
          webhookSecret: { env: 'PAYMENT_WEBHOOK_SECRET' },
        },
      ],
      recorder: {
        kind: 'sandbox',
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

/**
 * What somebody has to know whose form is still for trying out, in sentences; `undefined` where its
 * organisation has another way to pay or recorder.
 */
export function sandboxWords(file: Json, organization: Place): string | undefined {
  const isAsEmpty = (name: string): boolean =>
    JSON.stringify(valueAt(file, `${organization}.${name}`)) ===
    JSON.stringify(valueAt(EMPTY, `organizations.0.${name}`));
  if (!isAsEmpty('payments') || !isAsEmpty('recorder')) return undefined;
  const operator = textAt(file, 'operator.port');
  return `Gifts of this form go to a sandbox on the same machine, ${textAt(file, `${organization}.recorder.baseUrl`)}: no money moves. The endpoint listens on port ${textAt(file, 'listen.port')}${operator === '' ? '' : `, the operator’s page on ${operator}`}. Before it goes live, write ways to pay, recorder and ports into the file: docs/payments.md, docs/platform.md and docs/configuration.md tell how.`;
}
