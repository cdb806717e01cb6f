import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { ProblemCode } from '../../../src/core/schemas/problem.ts';
import { exampleForm } from '../../example-form.ts';
import { startServer, readOutcome, readProblem } from '../support.ts';
import { createFullForm, fullDonation } from '../full-form.ts';

const {
  consents: [privacy, news],
  gift: {
    projects: [first, second, third],
  },
} = fullDonation;
const withGift =
  (change: object) =>
  ({ gift, ...request }: DonationRequest): object => ({ ...request, gift: { ...gift, ...change } });
const withDonor =
  (change: object) =>
  ({ donor, ...request }: DonationRequest): object => ({
    ...request,
    donor: { ...donor, ...change },
  });
const withConsents =
  (...consents: object[]) =>
  (request: DonationRequest): object => ({ ...request, consents });

/** Each thing that a form which asks for everything refuses before any charge. */
const refusals: readonly (readonly [
  name: string,
  code: ProblemCode,
  change: (request: DonationRequest) => object,
])[] = [
  [
    'parts that sum to a minor unit less than the gift',
    'total-mismatch',
    withGift({ projects: [first, second, { ...third, amount: 3_332 }] }),
  ],
  [
    'a project that is named twice',
    'split-not-allowed',
    withGift({ projects: [first, second, { ...third, id: '1' }] }),
  ],
  [
    'a part for a project that the form does not offer',
    'project-not-allowed',
    withGift({ projects: [first, second, { ...third, id: '9' }] }),
  ],
  [
    'a part of nothing',
    'invalid-field',
    withGift({
      projects: [
        { ...first, amount: 10_000 },
        { ...second, amount: 0 },
      ],
    }),
  ],
  ['a tribute to nobody', 'invalid-field', withGift({ tribute: { kind: 'honor', name: '' } })],
  [
    'a tribute of an unknown kind',
    'invalid-field',
    withGift({ tribute: { kind: 'birth', name: 'Ana' } }),
  ],
  ['no consents', 'consent-mismatch', (request) => ({ ...request, consents: undefined })],
  ['a consent that is missing', 'consent-mismatch', withConsents(privacy)],
  ['a consent that is there twice', 'consent-mismatch', withConsents(privacy, privacy, news)],
  [
    'a consent that was not asked for',
    'consent-mismatch',
    withConsents(privacy, news, { ...news, id: 'other' }),
  ],
  [
    'a consent in other words than were shown',
    'consent-mismatch',
    withConsents(privacy, { ...news, words: 'Write to me' }),
  ],
  [
    'a consent in the words of another language',
    'consent-mismatch',
    withConsents({ ...privacy, words: 'Ich stimme zu.' }, news),
  ],
  [
    'a required consent that was not given',
    'consent-required',
    withConsents({ ...privacy, given: false }, news),
  ],
  [
    'a required custom field that is missing',
    'custom-field-required',
    (request) => ({ ...request, customFields: [] }),
  ],
  ['no country where it is required', 'donor-field-required', withDonor({ country: undefined })],
  ['an organisation without a name', 'invalid-field', withDonor({ organization: '' })],
  [
    'a person without a last name',
    'donor-field-required',
    withDonor({ organization: undefined, lastName: undefined }),
  ],
  [
    'an organisation without an e-mail address',
    'donor-field-required',
    withDonor({ email: undefined }),
  ],
];

for (const [name, code, change] of refusals) {
  test(`rejects ${name} before any charge: ${code}`, async () => {
    await using server = await startServer({ form: createFullForm });
    const response = await server.postDonation(change(await server.createRequest(fullDonation)));
    assert.deepEqual([(await readProblem(response)).code, server.calls], [code, []]);
  });
}

/** What a form that asks for little refuses, each with what it would otherwise take. */
for (const [name, code, change] of [
  [
    'a gift for two projects',
    'split-not-allowed',
    withGift({
      projects: [
        { id: '1', amount: 2_000 },
        { id: '2', amount: 3_000 },
      ],
    }),
  ],
  ['a tribute', 'tribute-not-allowed', withGift({ tribute: fullDonation.gift.tribute })],
  ['an anonymous gift', 'anonymity-not-allowed', withGift({ anonymous: true })],
  ['an organisation', 'organization-not-allowed', withDonor({ organization: 'Souza & Daughters' })],
  ['a consent', 'consent-mismatch', withConsents(news)],
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
  const nameless = withDonor({ firstName: undefined, lastName: undefined });
  assert.equal(
    (await server.postDonation(nameless(await server.createRequest(fullDonation)))).status,
    200,
  );
});
