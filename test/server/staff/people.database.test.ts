import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionRepository } from '../../../src/server/admin/access/sessions.ts';
import type { Role } from '../../../src/server/database/schema.ts';
import { ADMIN_KEY, Browser, callAdmin, signInAs, startAdminServer } from '../admin/support.ts';
import { addPerson, callWithToken, EVERYWHERE, ORGANIZATION, perform } from './support.ts';

test('refuses the admin key and ends its sessions as soon as the first person exists', async () => {
  await using server = await startAdminServer();
  const browser = new Browser(server);
  await browser.signIn();
  assert.match((await browser.request('/')).html, /<h1>Overview|Sign out/);
  assert.equal((await callAdmin(server, '/api/organizations')).status, 200);
  await addPerson(server, 'Maria');
  const response = await callAdmin(server, '/api/organizations');
  const { message } = (await response.json()) as { message: string };
  assert.equal(response.status, 403);
  assert.match(message, /no longer accepts the admin key.*DONATION_FORM_TOKEN/);
  assert.equal((await browser.request('/')).status, 401);
});

test('adds one first person, of several at once', async () => {
  await using server = await startAdminServer();
  const added = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      server.staff.addFirstPerson({ name, email: `${name}@example.org` }),
    ),
  );
  assert.equal(added.filter((id) => id !== undefined).length, 1);
  const people = await server.staff.listPeople();
  assert.deepEqual(
    people.map(({ memberships }) => memberships),
    [[EVERYWHERE]],
  );
});

test('a setup link works once, of several at once', async () => {
  await using server = await startAdminServer();
  const token = await server.oneTimeTokens.create({ purpose: 'setup', lifetime: 1_000 });
  const used = await Promise.all(
    Array.from({ length: 8 }, () => server.oneTimeTokens.consume(token, 'setup')),
  );
  assert.equal(used.filter((row) => row !== undefined).length, 1);
});

test('an administrator of one organization manages only the roles in it', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const ben = await addPerson(server, 'Ben', {
    organization: ORGANIZATION,
    roles: ['administrator'],
  });
  const other = await addPerson(server, 'Other', { organization: 'other', roles: ['finance'] });
  const input = { name: 'Eve', email: 'eve@example.org', roles: ['fundraiser'] };
  for (const [organization, problem] of [
    ['*', /Only an administrator of all organizations/],
    ['other', /Unknown organization/],
  ] as const) {
    await assert.rejects(perform(server, 'staff.invite', { ...input, organization }, ben), problem);
    await assert.rejects(
      perform(server, 'staff.set-roles', { id: maria.id, organization, roles: [] }, ben),
      problem,
    );
    const token = { name: 'x', organization, permissions: ['totals:read'] };
    await assert.rejects(perform(server, 'tokens.create', token, ben));
  }
  await assert.rejects(perform(server, 'staff.remove', { id: maria.id }, ben), /you cannot change/);
  await assert.rejects(perform(server, 'staff.remove', { id: other.id }, ben), /Nobody in your/);
  const { people } = await perform(server, 'staff.list', {}, ben);
  assert.deepEqual(people.map(({ name }) => name).sort(), ['Ben', 'Maria']);
  const { id } = await perform(
    server,
    'staff.invite',
    { ...input, organization: ORGANIZATION },
    ben,
  );
  await perform(
    server,
    'staff.set-roles',
    { id, organization: ORGANIZATION, roles: ['finance'] },
    ben,
  );
  assert.deepEqual((await server.staff.findPerson(id))?.memberships, [
    { organization: ORGANIZATION, roles: ['finance'] },
  ]);
  await perform(server, 'staff.remove', { id }, ben);
  assert.equal(await server.staff.findPerson(id), undefined);
});

test('adds nobody with a name or email that misleads readers or mail servers', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const input = { name: 'Dr. Ana Souza', email: 'ana@example.org', ...EVERYWHERE };
  for (const [changes, problem] of [
    [{ name: 'Win at https://evil.example' }, /expected a name without contact details/],
    [{ name: 'Reset www.evil.example' }, /expected a name without contact details/],
    [{ name: 'Call +1 202 555 0143' }, /expected a name without contact details/],
    [{ name: '\u202e\u200b' }, /expected a name/],
    [{ email: 'aná@example.org' }, /expected an email that all mail servers accept/],
    [{ email: 'ana%evil.example@example.org' }, /expected an email that all mail servers accept/],
  ] as const)
    await assert.rejects(perform(server, 'staff.invite', { ...input, ...changes }, maria), problem);
  const name = 'Dr.\u200b Ana\u202e Souza';
  const { id } = await perform(server, 'staff.invite', { ...input, name }, maria);
  assert.equal((await server.staff.findPerson(id))?.name, input.name);
});

test('only an administrator manages people', async () => {
  await using server = await startAdminServer();
  const roles: readonly Role[] = ['campaigner', 'fundraiser', 'finance'];
  const actor = await addPerson(server, 'Ana', { organization: '*', roles });
  for (const [name, input] of [
    ['staff.list', {}],
    ['staff.invite', { name: 'E', email: 'e@example.org', ...EVERYWHERE }],
    ['staff.set-roles', { id: actor.id, ...EVERYWHERE }],
    ['staff.remove', { id: actor.id }],
    ['tokens.create', { name: 'x', organization: '*', permissions: ['totals:read'] }],
    ['audit.list', {}],
  ] as const)
    await assert.rejects(perform(server, name, input, actor), /lets you manage staff/);
});

const SEVERAL_ROLES: readonly Role[] = ['finance', 'fundraiser'];
for (const [change, signsOut, memberships, changed] of [
  [
    'the loss of a role',
    true,
    [{ organization: ORGANIZATION, roles: SEVERAL_ROLES }],
    { organization: ORGANIZATION, roles: ['finance'] },
  ],
  [
    'the loss of a role in all organizations',
    true,
    [EVERYWHERE, { organization: ORGANIZATION, roles: ['finance'] }],
    { organization: '*', roles: ['finance'] },
  ],
  [
    'another role',
    false,
    [{ organization: ORGANIZATION, roles: ['finance'] }],
    { organization: ORGANIZATION, roles: SEVERAL_ROLES },
  ],
  ['roles in another organization', false, [EVERYWHERE], { organization: 'a', roles: ['finance'] }],
  [
    'the loss of roles in one of two organizations',
    false,
    [
      { organization: 'other', roles: ['finance'] },
      { organization: ORGANIZATION, roles: SEVERAL_ROLES },
    ],
    { organization: ORGANIZATION, roles: [] },
  ],
] as const)
  test(`${change} ${signsOut ? 'ends' : 'leaves'} the person's sessions and links`, async () => {
    await using server = await startAdminServer();
    await addPerson(server, 'Maria');
    const [first, ...others] = memberships;
    const { id } = await addPerson(server, 'Ben', first);
    for (const membership of others) await server.staff.setRoles(id, membership);
    const { database, oneTimeTokens, now } = server;
    const token = await oneTimeTokens.create({
      purpose: 'invitation',
      person: id,
      lifetime: 60_000,
    });
    const sessions = new SessionRepository(database, ADMIN_KEY, now);
    const session = await sessions.createSession({ person: id, name: 'Ben', device: '' });
    await server.staff.setRoles(id, changed);
    assert.deepEqual(
      [
        (await sessions.findAndTouchSession(session)) === undefined,
        (await oneTimeTokens.find(token, 'invitation')) === undefined,
      ],
      [signsOut, signsOut],
    );
  });

test('an invitation of somebody who can sign in already contains no link', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const ben = await addPerson(server, 'Ben', {
    organization: ORGANIZATION,
    roles: ['administrator'],
  });
  const input = { name: 'M', email: 'Maria@example.org', roles: ['finance'] };
  const output = await perform(
    server,
    'staff.invite',
    { ...input, organization: ORGANIZATION },
    ben,
  );
  assert.deepEqual([output.id, output.link], [maria.id, undefined]);
});

test('shows nothing about people of other organizations that the administrator did not enter', async () => {
  await using server = await startAdminServer();
  await addPerson(server, 'Maria');
  const ben = await addPerson(server, 'Ben', {
    organization: ORGANIZATION,
    roles: ['administrator'],
  });
  const { id } = await addPerson(server, 'Secret', { organization: 'other', roles: ['finance'] });
  const email = 'secret@example.org';
  await server.oneTimeTokens.create({ purpose: 'invitation', person: id, lifetime: 60_000 });
  const membership = { organization: ORGANIZATION, roles: ['finance'] };
  const output = await perform(server, 'staff.invite', { name: 'X', email, ...membership }, ben);
  const { people } = await perform(server, 'staff.list', {}, ben);
  const shown = people.find((person) => person.id === id)!;
  const changed = await perform(server, 'staff.set-roles', { id, ...membership, roles: [] }, ben);
  assert.deepEqual(
    [shown.name, shown.memberships, shown.invitedUntil, shown.isRemovable],
    [email, [membership], null, false],
  );
  assert.doesNotMatch(JSON.stringify([output, people, changed]), /Secret|other/);
});

test('offers to remove only people whom the reader may remove, and only permissions that work', async () => {
  await using server = await startAdminServer();
  await addPerson(server, 'Maria');
  const { browser } = await signInAs(server, [
    { organization: ORGANIZATION, roles: ['administrator'] },
  ]);
  const { html } = await browser.request('/staff');
  assert.doesNotMatch(html, /Remove Maria|server:/);
  assert.match(html, /Remove Ana[^]*donations:read/);
  const everywhere = await signInAs(server, [EVERYWHERE]);
  assert.match((await everywhere.browser.request('/staff')).html, /Remove Maria[^]*server:operate/);
});

test('the first person whom the admin key adds must be administrator of all organizations', async () => {
  await using server = await startAdminServer();
  const invite = (organization: string, role: Role): Promise<Response> =>
    callAdmin(server, '/api/staff', {
      name: 'Ana',
      email: 'a@example.org',
      organization,
      roles: [role],
    });
  assert.equal((await invite(ORGANIZATION, 'administrator')).status, 409);
  assert.equal((await invite('*', 'finance')).status, 409);
  assert.equal((await invite('*', 'administrator')).status, 200);
  assert.equal((await invite('*', 'administrator')).status, 403);
});

test('no token adds a first person with another role', async () => {
  await using server = await startAdminServer();
  const permissions = ['staff:manage', 'totals:read', 'forms:edit'];
  const created = await callAdmin(server, '/api/tokens', {
    name: 'Setup',
    organization: '*',
    permissions,
  });
  const { token } = (await created.json()) as { token: string };
  const person = { name: 'Ana', email: 'a@example.org' };
  const body = { ...person, organization: '*', roles: ['campaigner'] };
  assert.equal((await callWithToken(server, token, '/api/staff', body)).status, 409);
});

test('removes people and tokens of an organization that is no longer configured', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const ben = await addPerson(server, 'Ben', { organization: 'former', roles: ['finance'] });
  const { id } = await server.apiTokens.createToken({
    name: 'Old',
    organization: 'former',
    permissions: ['records:export'],
    creator: maria,
  });
  await perform(server, 'tokens.revoke', { id }, maria);
  await perform(server, 'staff.remove', { id: ben.id }, maria);
  assert.deepEqual(await server.apiTokens.listTokens(), []);
  assert.equal((await server.staff.listPeople()).length, 1);
});

test('keeps one administrator of all organizations', async () => {
  await using server = await startAdminServer();
  const maria = await addPerson(server, 'Maria');
  const id = maria.id;
  const last = /last administrator of all organizations/;
  const roles = { organization: '*', roles: ['finance'] };
  await assert.rejects(perform(server, 'staff.remove', { id }, maria), last);
  await assert.rejects(perform(server, 'staff.set-roles', { id, ...roles }, maria), last);
  const ben = await addPerson(server, 'Ben');
  await perform(server, 'staff.remove', { id }, ben);
  assert.deepEqual(
    (await server.staff.listPeople()).map(({ name }) => name),
    ['Ben'],
  );
});
