import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { APPLICATIONS } from '../../../src/sandbox/test/support.ts';
import {
  PLATFORM_KEY,
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
  type TestServer,
} from '../support.ts';
import { createFullForm, fullDonation } from '../full-form.ts';

const PARTS = [
  ['2', 'Village wells', '33.34'],
  ['1', 'Where it is needed most', '33.33'],
  ['3', 'River watch', '33.33'],
] as const;

/** Starts a server with the full form, and collects what it sends to the platform. */
async function startServerWithFullForm(): Promise<
  TestServer & { readonly recorded: Record<string, unknown>[] }
> {
  const recorded: Record<string, unknown>[] = [];
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    v1: { organizationKey: 'organization', applications: APPLICATIONS },
  });
  const server = await startServer({
    form: createFullForm,
    sandbox,
    intercept: async (request, next) => {
      if (request.url.endsWith('/sandbox/gifts'))
        recorded.push((await request.clone().json()) as Record<string, unknown>);
      return next(request);
    },
  });
  return { ...server, recorded };
}

test('responds with and records the exact split of a donation to three projects', async () => {
  await using server = await startServerWithFullForm();
  const { response } = await readOutcome(
    await server.postDonation(await server.createRequest(fullDonation)),
  );
  assert.deepEqual(
    response!.projectSplit.map(({ projectId, projectName, amount }) => [
      projectId,
      projectName,
      amount,
    ]),
    PARTS,
  );
  assert.deepEqual(
    [response!.projectSplit[2], response!.amount],
    [{ projectId: '3', projectName: 'River watch', amount: '33.33' }, 103.3],
  );
  const [donation] = (await (
    await server.fetchFromPlatform('/v1/donations?includeDetails=true')
  ).json()) as [{ fundAllocations: { fundName: string; amount: number }[]; IsAnonymous: boolean }];
  assert.deepEqual(
    donation.fundAllocations.map(({ fundName, amount }) => [fundName, amount]),
    PARTS.map(([, name, amount]) => [name, Number(amount)]),
  );
  assert.equal(donation.IsAnonymous, true);
});

test('sends the tribute, organization, displayed consents, and displayed project names to the platform', async () => {
  await using server = await startServerWithFullForm();
  const { reference } = await readOutcome(
    await server.postDonation(await server.createRequest(fullDonation)),
  );
  const [{ gift, donor, consents, customFields, projects, summary } = {}] = server.recorded as {
    gift?: object;
    donor?: object;
  }[] &
    Record<string, unknown>[];
  assert.deepEqual(
    { consents, customFields },
    { consents: fullDonation.consents, customFields: fullDonation.customFields },
  );
  assert.deepEqual({ ...gift, ...fullDonation.gift }, gift);
  assert.deepEqual({ ...donor, ...fullDonation.donor }, donor);
  assert.deepEqual(projects, [
    { id: '2', code: 'WATER', name: 'Village wells', amount: '33.34' },
    { id: '1', code: 'GENERAL', name: 'Where it is needed most', amount: '33.33' },
    { id: '3', name: 'River watch', amount: '33.33' },
  ]);
  assert.equal(
    summary,
    `Souza & Daughters gave 103.30 USD once to Village wells, Where it is needed most, River watch (${reference})`,
  );
});

test('saves the text of consents, the tribute, and the whole split', async () => {
  await using server = await startServerWithFullForm();
  const { reference } = await readOutcome(
    await server.postDonation(await server.createRequest(fullDonation)),
  );
  const { payload: stored } = (await server.repository.findByReference(reference))!;
  assert.deepEqual(
    [stored.consents, (stored.donor as typeof fullDonation.donor).organization],
    [fullDonation.consents, 'Souza & Daughters'],
  );
  const { tribute, anonymous, projects } = stored.gift;
  assert.deepEqual(
    { tribute, anonymous, projects },
    { tribute: fullDonation.gift.tribute, anonymous: true, projects: fullDonation.gift.projects },
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
  const {
    gift,
    donor,
    consents: [privacy, news],
    gift: {
      projects: [first, second, third],
    },
  } = { ...request, ...fullDonation, gift: { ...request.gift, ...fullDonation.gift } };
  for (const change of [
    {
      gift: {
        ...gift,
        projects: [{ ...first, amount: 3_333 }, { ...second, amount: 3_334 }, third],
      },
    },
    { gift: { ...gift, tribute: { ...gift.tribute, kind: 'honor' } } },
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
