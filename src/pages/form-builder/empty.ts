import type { Json } from './file.ts';

/** A configuration to begin with: the sandbox takes and records its gifts, and what is empty is to be filled in. */
export const EMPTY: Json = {
  listen: { host: '127.0.0.1', port: 4101 },
  operator: { port: 4103, key: { env: 'OPERATOR_KEY' } },
  store: 'donations.sqlite',
  organizations: [{
    id: '', name: '', contact: '', origins: [],
    payments: [{ provider: 'sandbox', baseUrl: 'http://127.0.0.1:4102/processor', publicKey: 'pk_sandbox', secretKey: { env: 'PAYMENT_SECRET_KEY' }, webhookSecret: { env: 'PAYMENT_WEBHOOK_SECRET' } }],
    recorder: { kind: 'sandbox', baseUrl: 'http://127.0.0.1:4102', apiKey: { env: 'FUNDRAISING_API_KEY' } },
    forms: [{
      id: 'main',
      currencies: [{ code: 'USD', minimum: '5', maximum: '10000', giftArray: [{ value: '25' }, { value: '50', isDefault: true }, { value: '100' }] }],
      frequencies: ['once', 'monthly'],
      projects: [{ id: '1', name: '' }],
      donorFields: { firstName: 'required', lastName: 'required', email: 'required' },
    }],
  }],
};
