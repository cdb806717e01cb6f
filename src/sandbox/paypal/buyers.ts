import type { Buyer } from './records.ts';

/** Fictional accounts that can log in to the approval pages. */
export const BUYERS: readonly Buyer[] = [
  {
    payerId: 'TESTBUYERUS22',
    email: 'buyer-us@example.com',
    givenName: 'Test',
    surname: 'Buyer',
    countryCode: 'US',
  },
  {
    payerId: 'TESTBUYERGB33',
    email: 'buyer-gb@example.com',
    givenName: 'Sample',
    surname: 'Donor',
    countryCode: 'GB',
  },
];

export const DEFAULT_BUYER = BUYERS[0]!;
