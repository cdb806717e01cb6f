import type { FormDefinition } from '../src/core/schemas/form-definition.ts';

/** Form definition for tests. */
export const exampleForm: FormDefinition = {
  id: 'main',
  organization: { name: 'Lanternwell', contact: 'giving@lanternwell.example' },
  isTest: true,
  currencies: [
    {
      code: 'USD',
      decimals: 2,
      minimum: 500,
      maximum: 1_000_000,
      feeCover: { basisPoints: 290, fixed: 30 },
      giftArray: [
        { value: 2_500 },
        { value: 5_000, description: 'A water test', isDefault: true },
        { value: 7_500, description: 'New seals' },
      ],
    },
    { code: 'JPY', decimals: 0, minimum: 500, maximum: 1_000_000, giftArray: [{ value: 3_000 }] },
  ],
  frequencies: ['once', 'monthly', 'annually'],
  monthlyUpsell: false,
  projects: [
    { id: '1', code: 'GENERAL', name: 'Where it is needed most' },
    { id: '2', code: 'WATER', name: 'Village wells' },
  ],
  allowSplit: false,
  allowTribute: false,
  donorFields: [
    { name: 'firstName', required: true },
    { name: 'lastName', required: true },
    { name: 'email', required: true },
    { name: 'phone', required: false },
  ],
  allowOrganizations: false,
  allowAnonymous: false,
  allowComment: true,
  allowCustomAmount: true,
  consents: [],
  customFields: [
    {
      id: '12',
      type: 4,
      formatter: 0,
      required: false,
      options: [
        { value: 'Newsletter', label: 'Newsletter' },
        { value: 'Event', label: 'Event' },
      ],
    },
    { id: '13', type: 0, formatter: 0, required: false },
  ],
  allowUnlistedCustomFields: false,
  receiptSender: 'none',
  texts: {},
  payments: [
    {
      provider: 'stripe',
      methods: [0],
      hasField: true,
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: { publicKey: 'pk_test_sandbox', methods: 'card' },
    },
  ],
};
