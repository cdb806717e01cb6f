/** Configuration of this project's forms. */
import { createStripePayment } from '../server/sandbox-stripe.ts';
import { LARGE_SIZES, NORMAL_SIZE, PLAIN_FIELDS } from './subjects.ts';

export interface Servers {
  readonly page: string;
  readonly endpoint: string;
  readonly sandbox: string;
}

/** Returns the ID of the plain form with this number of suggested amounts. */
export const getPlainFormId = (amounts: number): string =>
  amounts === NORMAL_SIZE.amounts ? 'plain' : `plain-${amounts}`;

/** Returns the text of the server's configuration. */
export function createConfiguration({ page, endpoint, sandbox }: Servers): string {
  // Stripe's frame is on another site than the page, and so in another process. `localhost` is
  // another site than 127.0.0.1.
  const provider = new URL(sandbox);
  provider.hostname = 'localhost';
  const organization = {
    contact: 'giving@example.org',
    origins: [page],
    receiptSender: 'platform',
    platform: { adapter: 'sandbox', baseUrl: sandbox, apiKey: { env: 'FUNDRAISING_API_KEY' } },
  };
  return JSON.stringify({
    listen: { host: '127.0.0.1', port: Number(new URL(endpoint).port) },
    database: 'donations.sqlite',
    organizations: [
      {
        ...organization,
        id: 'card',
        name: 'Card',
        payments: [
          {
            ...createStripePayment(provider.origin),
            label: 'Card',
            methods: ['card'],
            wallets: false,
          },
        ],
        forms: [NORMAL_SIZE, LARGE_SIZES['50 options'], LARGE_SIZES['500 options']].map(
          ({ amounts }) => createForm(getPlainFormId(amounts), amounts),
        ),
      },
      {
        ...organization,
        id: 'offline',
        name: 'Offline',
        payments: [
          {
            provider: 'offline',
            label: 'Bank transfer or check',
            description: 'You see our account after you press the button.',
            instructions: 'Please send {total} with the reference {reference}.',
          },
        ],
        forms: [
          {
            ...createForm('alike', NORMAL_SIZE.amounts),
            donorFields: { ...PLAIN_FIELDS, country: 'required' },
            allowOrganizations: true,
            allowAnonymous: true,
          },
        ],
      },
    ],
  });
}

const createForm = (id: string, amounts: number) => ({
  id,
  currencies: [
    {
      code: 'USD',
      minimum: '5',
      maximum: '50000',
      giftArray: listAmounts(amounts).map((amount) => ({
        value: String(amount),
        isDefault: amount === 50,
      })),
      feeCover: { percent: '2.9', fixed: '0.30' },
    },
  ],
  frequencies: ['once', 'monthly', 'annually'],
  projects: [{ id: '1', code: 'GENERAL', name: 'Where it is needed most' }],
  donorFields: PLAIN_FIELDS,
});

/** Lists suggested amounts in dollars. They include 50, the default. */
export const listAmounts = (count: number): number[] =>
  count === NORMAL_SIZE.amounts
    ? [25, 50, 100, 250, 500]
    : Array.from({ length: count }, (_, index) => 10 + index * 5);
