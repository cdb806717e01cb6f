import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { exampleForm } from '../../example-form.ts';
import { giftAidForm } from '../../gift-aid-form.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import { readOutcome, readProblem, startServer } from '../support.ts';

const {
  consents: [privacy, news],
  gift: {
    projects: [first, second, third],
  },
} = fullDonation;
type Change = (request: DonationRequest) => object;
type Rejections = Readonly<Record<string, Readonly<Record<string, Change>>>>;

const changeGift =
  (change: object): Change =>
  ({ gift, ...request }) => ({ ...request, gift: { ...gift, ...change } });
const changeDonor =
  (change: object): Change =>
  ({ donor, ...request }) => ({ ...request, donor: { ...donor, ...change } });
const changeConsents =
  (...consents: object[]): Change =>
  (request) => ({ ...request, consents });

/** Invalid donations that a form with every optional part rejects, by the problem's code. */
const INVALID_FULL_DONATIONS: Rejections = {
  'total-mismatch': {
    'parts that sum to one minor unit less than the amount': changeGift({
      projects: [first, second, { ...third, amount: 3_332 }],
    }),
  },
  'split-not-allowed': {
    'a duplicate project': changeGift({ projects: [first, second, { ...third, id: '1' }] }),
  },
  'project-not-allowed': {
    'a part for a project that the form does not have': changeGift({
      projects: [first, second, { ...third, id: '9' }],
    }),
  },
  'invalid-field': {
    'a part of zero': changeGift({
      projects: [
        { ...first, amount: 10_000 },
        { ...second, amount: 0 },
      ],
    }),
    'a tribute to nobody': changeGift({ tribute: { kind: 'honor', name: '' } }),
    'a tribute of an unknown kind': changeGift({ tribute: { kind: 'birth', name: 'Ana' } }),
    'an organization without a name': changeDonor({ organization: '' }),
  },
  'consent-mismatch': {
    'missing consents': (request) => ({ ...request, consents: undefined }),
    'a missing consent': changeConsents(privacy),
    'a duplicate consent': changeConsents(privacy, privacy, news),
    'an unknown consent': changeConsents(privacy, news, { ...news, id: 'other' }),
    'a consent with another text than the form shows': changeConsents(privacy, {
      ...news,
      text: 'Write to me',
    }),
    'a consent with the text of another language': changeConsents(
      { ...privacy, text: 'Ich stimme zu.' },
      news,
    ),
  },
  'consent-required': {
    'a required consent that the donor did not give': changeConsents(
      { ...privacy, given: false },
      news,
    ),
  },
  'custom-field-required': {
    'a missing required custom field': (request) => ({ ...request, customFields: [] }),
  },
  'donor-field-required': {
    'a donor without the required country': changeDonor({ country: undefined }),
    'a person without a last name': changeDonor({ organization: undefined, lastName: undefined }),
    'an organization without an email': changeDonor({ email: undefined }),
  },
};
const giftAid = {
  scope: 'single',
  text: giftAidForm.giftAid!.single,
  house: '12',
  postcode: 'SW1A 1AA',
} as const;
const changeGiftAid =
  (change: object): Change =>
  (request) => ({ ...request, giftAid: { ...giftAid, ...change } });
/** Gift Aid declarations that a form with Gift Aid rejects. */
const INVALID_DECLARATIONS: Rejections = {
  'gift-aid-not-allowed': {
    'Gift Aid in dollars': ({ gift, ...request }) => ({
      ...request,
      giftAid,
      gift: { ...gift, currency: 'USD' },
    }),
    'Gift Aid of an organization': ({ donor, ...request }) => ({
      ...request,
      giftAid,
      donor: { ...donor, organization: 'Souza & Daughters' },
    }),
    'a declaration for one payment of a monthly donation': ({ gift, ...request }) => ({
      ...request,
      giftAid,
      gift: { ...gift, frequency: 'monthly' },
    }),
  },
  'gift-aid-mismatch': {
    'a declaration with another text than the form shows': changeGiftAid({ scope: 'all' }),
  },
  'invalid-field': {
    'a declaration without a house': changeGiftAid({ house: ' ' }),
    'a declaration with a postcode outside the UK': changeGiftAid({ postcode: '10115' }),
  },
  'card-number-detected': {
    'a card number as a house': changeGiftAid({ house: '4242 4242 4242 4242' }),
  },
};
const inPounds = {
  gift: { currency: 'GBP', coverCosts: false, coveredFees: 0, total: 5_000 },
} as const;
/** Optional parts that a minimal form rejects. */
const INVALID_MINIMAL_DONATIONS: Rejections = {
  'split-not-allowed': {
    'a donation to two projects': changeGift({
      projects: [
        { id: '1', amount: 2_000 },
        { id: '2', amount: 3_000 },
      ],
    }),
  },
  'tribute-not-allowed': { 'a tribute': changeGift({ tribute: fullDonation.gift.tribute }) },
  'anonymity-not-allowed': { 'an anonymous donation': changeGift({ anonymous: true }) },
  'organization-not-allowed': {
    'an organization': changeDonor({ organization: 'Souza & Daughters' }),
  },
  'consent-mismatch': { 'a consent': changeConsents(news) },
  'gift-aid-not-allowed': { 'a Gift Aid declaration': changeGiftAid({}) },
};

for (const [kind, rejections, form, donation] of [
  ['full', INVALID_FULL_DONATIONS, createFullForm, fullDonation],
  ['minimal', INVALID_MINIMAL_DONATIONS, exampleForm, {}],
  ['Gift Aid', INVALID_DECLARATIONS, giftAidForm, inPounds],
] as const)
  for (const [code, changes] of Object.entries<Rejections['']>(rejections))
    for (const [name, change] of Object.entries(changes))
      test(`rejects ${name} to a ${kind} form before any charge: ${code}`, async () => {
        await using server = await startServer({ form });
        const request = change(await server.createRequest(donation));
        const problem = await readProblem(await server.postDonation(request));
        assert.deepEqual([problem.code, server.calls], [code, []]);
      });

test('charges the fee of the payment method, and rejects that of another method', async () => {
  await using server = await startServer({
    form: {
      ...exampleForm,
      currencies: [
        {
          ...exampleForm.currencies[0],
          feeCover: {
            basisPoints: 290,
            fixed: 30,
            methods: {
              [PaymentMethodType.ACH]: { basisPoints: 80, fixed: 0, maximum: 500 },
              [PaymentMethodType.Wallet]: { basisPoints: 0, fixed: 0 },
            },
          },
        },
      ],
      payments: [
        { ...exampleForm.payments[0], methods: [0, 1, 4] },
        {
          provider: 'offline',
          methods: [],
          hasField: false,
          hasHostedCheckout: false,
          hasCustomerPortal: false,
          options: {},
        },
      ],
    },
  });
  const postDonationWithFee = async (payment: object, coveredFees: number): Promise<unknown> => {
    const gift = { coverCosts: true, coveredFees, total: 5_000 + coveredFees };
    const request = await server.createRequest();
    const response = await server.postDonation({
      ...request,
      gift: { ...request.gift, ...gift },
      payment: { ...request.payment, ...payment },
    });
    return response.ok
      ? (await readOutcome(response)).gift.total
      : (await readProblem(response)).code;
  };
  assert.deepEqual(
    [
      await postDonationWithFee({ method: PaymentMethodType.CreditCard }, 181),
      await postDonationWithFee({ method: PaymentMethodType.ACH }, 41),
      await postDonationWithFee({ method: PaymentMethodType.ACH }, 181),
      await postDonationWithFee({ method: PaymentMethodType.Wallet }, 181),
      await postDonationWithFee({ provider: 'offline', method: undefined, token: undefined }, 181),
    ],
    [5_181, 5_041, 'total-mismatch', 'fee-cover-not-allowed', 'fee-cover-not-allowed'],
  );
});

test('accepts a donation with every optional part', async () => {
  await using server = await startServer({ form: createFullForm });
  const response = await server.postDonation(await server.createRequest(fullDonation));
  assert.equal((await readOutcome(response)).status, 'succeeded');
});

test("accepts a donation of an organization without a person's name", async () => {
  await using server = await startServer({ form: createFullForm });
  const nameless = changeDonor({ firstName: undefined, lastName: undefined });
  const request = nameless(await server.createRequest(fullDonation));
  assert.equal((await server.postDonation(request)).status, 200);
});
