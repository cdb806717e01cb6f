import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { APPLICATIONS } from '../../../src/sandbox/test/support.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import {
  createIdempotencyKey,
  PLATFORM_KEY,
  readProblem,
  startServer,
  type TestServer,
} from '../support.ts';

const PARTS = [
  ['2', 'Village wells', '33.34'],
  ['1', 'Where it is needed most', '33.33'],
  ['3', 'River watch', '33.33'],
] as const;

const startServerWithFullForm = (): Promise<TestServer> =>
  startServer({
    form: createFullForm,
    sandbox: createSandbox({
      platformKey: PLATFORM_KEY,
      v1: { organizationKey: 'organization', applications: APPLICATIONS },
    }),
  });

test('responds with and records the exact split of a donation to three projects', async () => {
  await using server = await startServerWithFullForm();
  const { response } = await server.submitDonation(fullDonation);
  assert.deepEqual(
    response!.projectSplit.map((part) => [part.projectId, part.projectName, part.amount]),
    PARTS,
  );
  assert.deepEqual(
    [response!.projectSplit[2], response!.amount],
    [{ projectId: '3', projectName: 'River watch', amount: '33.33' }, 103.3],
  );
  const path = '/v1/donations?includeDetails=true';
  const [{ fundAllocations, IsAnonymous }] = (await (
    await server.fetchFromPlatform(path)
  ).json()) as [{ fundAllocations: { fundName: string; amount: number }[]; IsAnonymous: boolean }];
  assert.deepEqual(
    [IsAnonymous, ...fundAllocations.map(({ fundName, amount }) => [fundName, amount])],
    [true, ...PARTS.map(([, name, amount]) => [name, Number(amount)])],
  );
});

test('sends the tribute, organization, displayed consents, and displayed project names to the platform', async () => {
  await using server = await startServerWithFullForm();
  const { reference } = await server.submitDonation(fullDonation);
  const sent = JSON.parse(server.sentGifts[0]!) as typeof fullDonation;
  const expected = {
    ...fullDonation,
    gift: { ...sent.gift, ...fullDonation.gift },
    donor: { ...sent.donor, ...fullDonation.donor },
    projects: [
      { id: '2', code: 'WATER', name: 'Village wells', amount: '33.34' },
      { id: '1', code: 'GENERAL', name: 'Where it is needed most', amount: '33.33' },
      { id: '3', name: 'River watch', amount: '33.33' },
    ],
    summary: `Souza & Daughters gave 103.30 USD once to Village wells, Where it is needed most, River watch (${reference})`,
  };
  assert.deepEqual({ ...sent, ...expected }, sent);
});

test('saves the text of consents, the tribute, and the whole split', async () => {
  await using server = await startServerWithFullForm();
  const { reference } = await server.submitDonation(fullDonation);
  const { payload } = (await server.repository.findByReference(reference))!;
  const { tribute, anonymous, projects } = payload.gift;
  assert.deepEqual(
    [payload.consents, payload.donor.organization, { tribute, anonymous, projects }],
    [
      fullDonation.consents,
      'Souza & Daughters',
      { tribute: fullDonation.gift.tribute, anonymous: true, projects: fullDonation.gift.projects },
    ],
  );
});

test('shows the split, tribute, and consents on the sandbox page', async () => {
  await using server = await startServerWithFullForm();
  await server.postDonation(await server.createRequest(fullDonation));
  const page = await (await server.fetchFromPlatform('http://127.0.0.1:4102/')).text();
  for (const words of [
    'Village wells $33.34, Where it is needed most $33.33, River watch $33.33',
    'In memory of João Souza · Consented to privacy<',
    'Ana Souza · Souza &amp; Daughters',
    'Anonymous',
  ])
    assert.ok(page.includes(words), words);
});

test('responds with 422 to another split, tribute, consent, custom field, or organization under the same key', async () => {
  await using server = await startServerWithFullForm();
  const key = createIdempotencyKey();
  const request = await server.createRequest(fullDonation);
  await server.postDonation(request, { key });
  const { gift, donor } = request;
  const { projects, tribute } = fullDonation.gift;
  const [first, second, third] = projects;
  const otherSplit = [{ ...first, amount: 3_333 }, { ...second, amount: 3_334 }, third];
  const [privacy, news] = fullDonation.consents;
  for (const change of [
    { gift: { ...gift, projects: otherSplit } },
    { gift: { ...gift, tribute: { ...tribute, kind: 'honor' } } },
    { gift: { ...gift, anonymous: false } },
    { consents: [privacy, { ...news, given: true }] },
    { customFields: [{ id: '12', value: 'A poster' }] },
    { donor: { ...donor, organization: 'Souza Ltd' } },
  ])
    assert.equal(
      (await readProblem(await server.postDonation({ ...request, ...change }, { key }))).code,
      'idempotency-key-reused',
      JSON.stringify(change),
    );
});
