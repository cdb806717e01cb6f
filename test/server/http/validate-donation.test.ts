import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { ProblemCode } from '../../../src/core/schemas/problem.ts';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import { exampleForm } from '../../example-form.ts';
import { startServer, readOutcome, readProblem } from '../support.ts';
import { createFullForm, fullDonation } from '../full-form.ts';

const {
  consents: [privacy, news],
  gift: {
    projects: [first, second, third],
  },
} = fullDonation;
const changeGift =
  (change: object) =>
  ({ gift, ...request }: DonationRequest): object => ({ ...request, gift: { ...gift, ...change } });
const changeDonor =
  (change: object) =>
  ({ donor, ...request }: DonationRequest): object => ({
    ...request,
    donor: { ...donor, ...change },
  });
const changeConsents =
  (...consents: object[]) =>
  (request: DonationRequest): object => ({ ...request, consents });

/** Invalid donations that a form with every optional part rejects before any charge. */
const refusals: readonly (readonly [
  name: string,
  code: ProblemCode,
  change: (request: DonationRequest) => object,
])[] = [
  [
    'parts that sum to one minor unit less than the amount',
    'total-mismatch',
    changeGift({ projects: [first, second, { ...third, amount: 3_332 }] }),
  ],
  [
    'a duplicate project',
    'split-not-allowed',
    changeGift({ projects: [first, second, { ...third, id: '1' }] }),
  ],
  [
    'a part for a project that the form does not have',
    'project-not-allowed',
    changeGift({ projects: [first, second, { ...third, id: '9' }] }),
  ],
  [
    'a part of zero',
    'invalid-field',
    changeGift({
      projects: [
        { ...first, amount: 10_000 },
        { ...second, amount: 0 },
      ],
    }),
  ],
  ['a tribute to nobody', 'invalid-field', changeGift({ tribute: { kind: 'honor', name: '' } })],
  [
    'a tribute of an unknown kind',
    'invalid-field',
    changeGift({ tribute: { kind: 'birth', name: 'Ana' } }),
  ],
  ['missing consents', 'consent-mismatch', (request) => ({ ...request, consents: undefined })],
  ['a missing consent', 'consent-mismatch', changeConsents(privacy)],
  ['a duplicate consent', 'consent-mismatch', changeConsents(privacy, privacy, news)],
  [
    'an unknown consent',
    'consent-mismatch',
    changeConsents(privacy, news, { ...news, id: 'other' }),
  ],
  [
    'a consent with another text than the form shows',
    'consent-mismatch',
    changeConsents(privacy, { ...news, text: 'Write to me' }),
  ],
  [
    'a consent with the text of another language',
    'consent-mismatch',
    changeConsents({ ...privacy, text: 'Ich stimme zu.' }, news),
  ],
  [
    'a required consent that the donor did not give',
    'consent-required',
    changeConsents({ ...privacy, given: false }, news),
  ],
  [
    'a missing required custom field',
    'custom-field-required',
    (request) => ({ ...request, customFields: [] }),
  ],
  [
    'a donor without the required country',
    'donor-field-required',
    changeDonor({ country: undefined }),
  ],
  ['an organization without a name', 'invalid-field', changeDonor({ organization: '' })],
  [
    'a person without a last name',
    'donor-field-required',
    changeDonor({ organization: undefined, lastName: undefined }),
  ],
  ['an organization without an email', 'donor-field-required', changeDonor({ email: undefined })],
];

for (const [name, code, change] of refusals) {
  test(`rejects ${name} before any charge: ${code}`, async () => {
    await using server = await startServer({ form: createFullForm });
    const response = await server.postDonation(change(await server.createRequest(fullDonation)));
    assert.deepEqual([(await readProblem(response)).code, server.calls], [code, []]);
  });
}

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

/** Optional parts that a minimal form rejects. */
for (const [name, code, change] of [
  [
    'a donation to two projects',
    'split-not-allowed',
    changeGift({
      projects: [
        { id: '1', amount: 2_000 },
        { id: '2', amount: 3_000 },
      ],
    }),
  ],
  ['a tribute', 'tribute-not-allowed', changeGift({ tribute: fullDonation.gift.tribute })],
  ['an anonymous donation', 'anonymity-not-allowed', changeGift({ anonymous: true })],
  [
    'an organization',
    'organization-not-allowed',
    changeDonor({ organization: 'Souza & Daughters' }),
  ],
  ['a consent', 'consent-mismatch', changeConsents(news)],
] as const satisfies typeof refusals) {
  test(`rejects ${name} if the form does not allow it: ${code}`, async () => {
    await using server = await startServer({ form: exampleForm });
    assert.equal(
      (await readProblem(await server.postDonation(change(await server.createRequest())))).code,
      code,
    );
  });
}

test('accepts a donation with every optional part', async () => {
  await using server = await startServer({ form: createFullForm });
  const response = await server.postDonation(await server.createRequest(fullDonation));
  assert.equal((await readOutcome(response)).status, 'succeeded');
});

test("accepts a donation of an organization without a person's name", async () => {
  await using server = await startServer({ form: createFullForm });
  const nameless = changeDonor({ firstName: undefined, lastName: undefined });
  assert.equal(
    (await server.postDonation(nameless(await server.createRequest(fullDonation)))).status,
    200,
  );
});
