import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFieldsAreValid } from '../../../src/sandbox/virtuous-crm/transaction-fields.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import type { PlatformGift } from '../../../src/server/platform/platform-adapter.ts';
import { toGiftTransaction } from '../../../src/server/platform/virtuous-gift-transaction.ts';
import { createGift } from './test-platform.ts';

const OPTIONS = {
  transactionSource: 'donation-form',
  giftType: { card: 'Credit', bank: 'EFT', paypal: 'PayPal', wallet: 'Credit', other: 'Cash' },
  designationsField: 'designations',
  emailLists: { news: 'Newsletter' },
  customFields: { heard: 'How did you hear about us?' },
  timeZone: 'America/New_York',
} as const;

type GiftType = Parameters<typeof toGiftTransaction>[1]['giftType'];

const createGiftWith = (changes: Partial<PlatformGift['gift']>): Partial<PlatformGift> => ({
  gift: { ...createGift().gift, ...changes },
});

test('converts a gift to the fields of the description, with everything else in the notes', () => {
  const gift = createGift({
    reference: '7K4M9-QXD2P',
    paymentId: 'pi_1',
    givenAt: new Date('2026-11-22T02:00:00Z'),
    ...createGiftWith({
      segment: 'MAIL26',
      anonymous: true,
      comment: 'For the well',
      tribute: {
        kind: 'memory',
        name: 'João da Souza',
        message: 'We miss you',
        notifyEmail: 'family@example.org',
      },
    }),
    donor: {
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
      phone: '+15551234567',
      address1: '1 Main St',
      city: 'Austin',
      postal: '78701',
      country: 'US',
    },
    consents: [
      { id: 'news', text: 'Send me news', given: true },
      { id: 'post', text: 'Write to me', given: false },
    ],
    customFields: [
      { id: 'heard', value: 'Event' },
      { id: '12', value: 'Vegan' },
    ],
    tracking: { utmSource: 'mail' },
  });
  const body = JSON.parse(JSON.stringify(toGiftTransaction(gift, OPTIONS))) as Record<
    string,
    unknown
  >;
  assertFieldsAreValid(body);
  assert.deepEqual(body, {
    transactionSource: 'donation-form',
    transactionId: '7K4M9-QXD2P',
    contact: {
      type: 'Household',
      name: 'Ana Souza',
      firstname: 'Ana',
      lastname: 'Souza',
      emailType: 'Home Email',
      email: 'ana@example.org',
      phoneType: 'Mobile Phone',
      phone: '+15551234567',
      address: { address1: '1 Main St', city: 'Austin', postal: '78701', country: 'US' },
      emailLists: ['Newsletter'],
    },
    giftDate: '2026-11-21',
    giftType: 'Credit',
    amount: '51.81',
    currencyCode: 'USD',
    designations: [{ code: 'WATER', amountDesignated: '51.81' }],
    segment: 'MAIL26',
    isPrivate: true,
    tribute: 'In memory of João da Souza',
    tributeDedication: {
      tributeFirstName: 'João da',
      tributeLastName: 'Souza',
      acknowledgeeEmail: 'family@example.org',
    },
    customFields: { 'How did you hear about us?': 'Event' },
    notes:
      'Comment: For the well\nTribute message: We miss you\nConsents: news: yes, post: no\nCustom fields: 12: Vegan\nTracking: utmSource: mail\nPayment: pi_1',
  });
});

test('chooses the gift type by payment method, unless one type is configured for all gifts', () => {
  const getType = (changes: Partial<PlatformGift>, giftType: GiftType = OPTIONS.giftType) =>
    toGiftTransaction(createGift(changes), { ...OPTIONS, giftType }).giftType;
  const { paymentMethod, ...offline } = createGift();
  assert.equal(paymentMethod, 0);
  assert.deepEqual(
    [
      getType({}),
      getType({ paymentMethod: 1 }),
      getType({ paymentMethod: 4 }),
      getType({ provider: 'paypal', paymentMethod: 4 }),
      toGiftTransaction(offline, OPTIONS).giftType,
      getType({ paymentMethod: 1 }, 'Online'),
    ],
    ['Credit', 'EFT', 'Credit', 'PayPal', 'Cash', 'Online'],
  );
});

test('adds a donor to no email list without consent or email', () => {
  const lists = (changes: Partial<PlatformGift>): unknown =>
    (toGiftTransaction(createGift(changes), OPTIONS).contact as { emailLists?: unknown })
      .emailLists;
  const consent = { id: 'news', text: 'Send me news', given: true };
  assert.deepEqual(
    [
      lists({ consents: [consent] }),
      lists({ consents: [{ ...consent, given: false }] }),
      lists({ consents: [{ ...consent, id: 'post' }] }),
      lists({ consents: [consent], donor: { lastName: 'Lee' } }),
    ],
    [['Newsletter'], undefined, undefined, undefined],
  );
});

test('gives covered fees a designation of their own if they have a project', () => {
  const projects = [
    { id: '2', code: 'WATER', name: 'Village wells', amount: '50.00' },
    { id: '9', code: 'FEES', name: 'Fees', amount: '1.81' },
  ];
  const { giftDesignations } = toGiftTransaction(createGift({ projects }), {
    ...OPTIONS,
    designationsField: 'giftDesignations',
  });
  assert.deepEqual(giftDesignations, [
    { projectCode: 'WATER', amountDesignated: '50.00' },
    { projectCode: 'FEES', amountDesignated: '1.81' },
  ]);
});

test('links all payments of a monthly donation to one recurring gift', () => {
  const first = createGift(createGiftWith({ frequency: 'monthly' }));
  const renewal = { ...first, reference: `${first.reference}-2`, parent: first.reference };
  const describe = (gift: PlatformGift): unknown[] => {
    const body = toGiftTransaction(gift, OPTIONS);
    return [body.transactionId, body.recurringGiftTransactionId, body.frequency];
  };
  assert.deepEqual(describe(first), [first.reference, first.reference, 'Monthly']);
  assert.deepEqual(describe(renewal), [renewal.reference, first.reference, 'Monthly']);
});

test('names an organization that donates', () => {
  const gift = createGift({ donor: { organization: 'Acme', lastName: 'Lee' } });
  const { contact } = toGiftTransaction(gift, OPTIONS) as { contact: Record<string, unknown> };
  assert.deepEqual([contact.type, contact.name], ['Organization', 'Acme']);
});

test('loads the example configuration', async () => {
  const { organizations } = await loadConfiguration('examples/virtuous-crm.config.json');
  assert.deepEqual(organizations[0].platform, {
    adapter: 'virtuous-crm',
    baseUrl: 'https://api.virtuoussoftware.com',
    apiKey: { env: 'VIRTUOUS_API_KEY' },
    transactionSource: 'donation-form',
    giftType: OPTIONS.giftType,
    designationsField: 'designations',
    emailLists: {},
    customFields: {},
  });
});
