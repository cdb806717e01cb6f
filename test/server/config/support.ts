/** Parts of a valid configuration, for tests to change. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../temporary-folder.ts';

export const usd = { code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] };
export const form = {
  id: 'main',
  currencies: [usd],
  frequencies: ['once', 'monthly'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
export const consent = { id: 'news', text: 'Write to me' };
export const list = { id: 'l', type: 'List', options: ['A', 'B'] };
export const stripe = {
  provider: 'stripe',
  publicKey: 'pk_test_1',
  secretKey: { env: 'STRIPE' },
  webhookSecret: { env: 'W' },
};
export const liveStripe = { ...stripe, publicKey: 'pk_live_1' };
export const paypal = {
  provider: 'paypal',
  environment: 'sandbox',
  clientId: 'AZabc-1_2',
  clientSecret: { env: 'P' },
  webhookId: '1JE4291016473214C',
};
export const offline = {
  provider: 'offline',
  label: 'Transfer',
  description: 'Later.',
  instructions: 'Write {reference}.',
};
export const platform = { adapter: 'sandbox', baseUrl: 'http://127.0.0.1:1', apiKey: { env: 'K' } };
export const organization = {
  id: 'o',
  name: 'O',
  contact: 'o@example.org',
  origins: ['https://o.example'],
  forms: [form],
  payments: [stripe],
  platform,
};
export const good = {
  listen: { host: '127.0.0.1', port: 0 },
  database: 's.sqlite',
  organizations: [organization],
};

export const changeOrganization = (change: unknown): object => ({
  ...good,
  organizations: [{ ...organization, ...(change as object) }],
});
export const changeForm = (change: unknown): object =>
  changeOrganization({ forms: [{ ...form, ...(change as object) }] });

export async function writeConfiguration(text: string): Promise<string> {
  const file = join(createFolder(), 'my.config.json');
  await writeFile(file, text);
  return file;
}
