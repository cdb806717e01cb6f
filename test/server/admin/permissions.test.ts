import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AdminKeyVerifier } from '../../../src/server/admin/access/admin-key.ts';
import {
  ACTION_ROUTES,
  type ActionName,
  type ActionRoute,
} from '../../../src/server/admin/actions/action-routes.ts';
import { createAdminRoutes } from '../../../src/server/admin/create-admin-app.ts';
import { addPages } from '../../../src/server/admin/pages/admin-pages.ts';
import type { Role } from '../../../src/server/database/schema.ts';
import type { Actor } from '../../../src/server/staff/actor.ts';
import {
  ALL_ORGANIZATIONS,
  type Permission,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  ROLES,
  SERVER_WIDE_PERMISSIONS,
} from '../../../src/server/staff/roles.ts';
import { addReceipt } from '../receipts/add-receipt.ts';
import { usReceipts } from '../receipts/support.ts';
import { addDonation, addEvent, addRenewal } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import {
  ADMIN_KEY,
  type Browser,
  createAdminContext,
  performActionAs,
  signInAs,
  WEBHOOK_ENDPOINT,
} from './support.ts';

const OWN = 'lanternwell';
const OTHER = 'kanalhilfe';
/** No donation has this reference. */
const UNKNOWN_REFERENCE = 'ABCDE-FGHJK';
const ACTIONS = Object.entries<ActionRoute>(ACTION_ROUTES) as [ActionName, ActionRoute][];

/** Routes that require no permission: for signing in, and with public data. */
const OPEN_ROUTES = [
  'GET /account',
  'GET /builder/countries',
  'GET /builder/countries/:code',
  'GET /invitation/:token',
  'GET /pages/:name',
  'GET /setup/:token',
  'GET /sign-in',
  'GET /sign-in/link/:token',
  'GET /sign-in/sent',
  'POST /account/confirm',
  'POST /account/passkeys/add',
  'POST /account/passkeys/options',
  'POST /account/passkeys/remove',
  'POST /account/sessions/end',
  'POST /account/sessions/end-others',
  'POST /invitation/:token',
  'POST /setup/:token',
  'POST /sign-in',
  'POST /sign-in/email',
  'POST /sign-in/link/:token',
  'POST /sign-out',
];

const server = await startServer({
  adminKey: ADMIN_KEY,
  hasBackgroundJobs: false,
  receipts: usReceipts,
  webhookEndpoints: [WEBHOOK_ENDPOINT],
});
after(() => server[Symbol.asyncDispose]());
const [own] = server.organizations.all;
server.replaceOrganizations([own!, { ...own!, id: OTHER }]);
const context = createAdminContext(server);
const pages = addPages(ADMIN_KEY, new AdminKeyVerifier(ADMIN_KEY, context), context);

interface DonorData {
  /** Of donations in each status, and of a renewal. */
  readonly references: readonly string[];
  readonly events: readonly string[];
  readonly receiptNumber: string;
}

/** Adds donations, receipts, notes, and errors that all contain a word. */
async function addDonorData(
  { repository, database }: TestServer,
  organization: string,
  word: string,
  number: number,
): Promise<DonorData> {
  const donor = {
    firstName: word,
    lastName: `${word}-last`,
    email: `${word}@example.org`,
    phone: `${word}-phone`,
    address1: `${word}-street`,
  };
  const references = [];
  for (const outcome of ['succeeded', 'failed', 'promised', 'settling', 'needs_review'] as const)
    references.push(
      await addDonation(repository, {
        organization,
        donor,
        outcome,
        tribute: { kind: 'honor', name: `${word}-tribute`, message: `${word}-message` },
      }),
    );
  const monthly = await addDonation(repository, { organization, donor, frequency: 'monthly' });
  const at = Date.now() - 1_000;
  await addRenewal(repository, monthly, { at, amount: 5_000 });
  await addEvent(repository, references[0]!, 'refund', { at, amount: 1_000 });
  await database.db
    .updateTable('outbox')
    .set({ status: 'needs_review', lastError: `${word}-reason` })
    .where('organization', '=', organization)
    .execute();
  await database.db
    .updateTable('outbox')
    .set({ status: 'manual' })
    .where('reference', '=', monthly)
    .execute();
  await addReceipt(database, references[0]!, {
    organization,
    number,
    data: { donor: { name: `${word}-receipt`, addressLines: [`${word}-line`] } },
  });
  await repository.pauses.pauseOrganization(organization, 'Ben', `${word}-note`);
  const events = await database.db
    .selectFrom('outbox')
    .select(['id', 'reference'])
    .where('organization', '=', organization)
    .execute();
  return {
    references: [...new Set([...references, monthly, ...events.map(({ reference }) => reference)])],
    events: events.map(({ id }) => id),
    receiptNumber: `WEB-2026-${String(number).padStart(6, '0')}`,
  };
}

const ownData = await addDonorData(server, OWN, 'canary', 1);
const otherData = await addDonorData(server, OTHER, 'kanarie', 2);

const createActor = (organization: string, permissions: readonly Permission[]): Actor => ({
  kind: 'token',
  id: 'token',
  name: 'token',
  grants: [{ organization, permissions }],
});

/** Actors with the permissions of each role, with a single permission, and with none. */
const ACTORS = [OWN, ALL_ORGANIZATIONS].flatMap((organization) => [
  ...ROLES.map((role) => [`${role} of ${organization}`, organization, ROLE_PERMISSIONS[role]]),
  ...PERMISSIONS.map((permission) => [
    `${permission} in ${organization}`,
    organization,
    [permission],
  ]),
  [`nothing in ${organization}`, organization, []],
]) as readonly (readonly [
  name: string,
  organization: string,
  permissions: readonly Permission[],
])[];

const isExpected = (
  permission: Permission,
  organization: string,
  permissions: readonly Permission[],
): boolean =>
  permissions.includes(permission) &&
  (organization === ALL_ORGANIZATIONS || !SERVER_WIDE_PERMISSIONS.has(permission));

test('each action is for exactly the actors with its permission', async () => {
  let count = 0;
  for (const [actorName, organization, permissions] of ACTORS)
    for (const [name, { permission }] of ACTIONS) {
      const actor = createActor(organization, permissions);
      // Without its input, no action changes anything that this test reads.
      const { status } = await performActionAs(server, actor, name, {});
      assert.deepEqual(
        [actorName, name, status !== 403],
        [actorName, name, isExpected(permission, organization, permissions)],
      );
      count += 1;
    }
  assert.ok(count > 1_000, String(count));
});

/** Replaces the parameters in the pattern of a route. */
const buildPath = (
  pattern: string,
  {
    reference,
    number = 'WEB-2026-000001',
  }: { readonly reference: string; readonly number?: string },
): string =>
  pattern
    .replace(':reference', reference)
    .replace(':number', number)
    .replace(':id', 'nothing')
    .replace(/:name\{donation-form.*/, 'donation-form.js')
    .replace(/:name\{.*/, 'plain.css');

const PAGE_ROUTES = [...pages.permissions].map(([route, permission]) => {
  const [method = '', pattern = ''] = route.split(' ');
  return { method, pattern, permission };
});
const GET_ROUTES = PAGE_ROUTES.filter(({ method }) => method === 'GET');

test('each page, download, and form is for exactly the people with its permission', async () => {
  for (const organization of [OWN, ALL_ORGANIZATIONS])
    for (const role of [...ROLES, undefined]) {
      const { browser } = await signInAs(server, [{ organization, roles: role ? [role] : [] }]);
      const permissions = role ? ROLE_PERMISSIONS[role] : [];
      for (const { method, pattern, permission } of PAGE_ROUTES) {
        const path = buildPath(pattern, { reference: ownData.references[0]! });
        // Without a CSRF token, the server rejects the forms of everybody else with a redirect.
        const { status, html } = await browser.request(path, method === 'POST' ? {} : undefined);
        assert.deepEqual(
          [role, organization, method, path, status === 403],
          [role, organization, method, path, !isExpected(permission, organization, permissions)],
        );
        if (status === 403) assert.match(html, /<h1>You are not permitted to do this<\/h1>/);
      }
    }
});

test('only routes for signing in, for one’s own account, and with public data require no permission', () => {
  const routes = createAdminRoutes(context)
    .routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*')
    .map(({ method, path }) => `${method} ${path}`);
  const required = new Set([
    ...pages.permissions.keys(),
    ...ACTIONS.map(([, { method, path }]) => `${method} ${path}`),
    'GET /metrics',
    'GET /readyz',
  ]);
  const open = [...new Set(routes)].filter((route) => !required.has(route));
  assert.deepEqual(open.map((route) => route.replace(/\{.*\}/, '')).sort(), OPEN_ROUTES);
});

test('the navigation and the buttons lead nobody to a page that they may not open', async () => {
  for (const role of ROLES) {
    const { browser } = await signInAs(server, [{ organization: OWN, roles: [role] }]);
    const visited = new Set<string>();
    const waiting = ['/'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      visited.add(path);
      const { status, html } = await browser.request(path);
      assert.deepEqual([role, path, status], [role, path, 200]);
      for (const [, action] of html.matchAll(/method="post" action="([^"]+)"/g))
        assert.notEqual(
          (await browser.request(action!, {})).status,
          403,
          `${role}: ${path} has a form for ${action}`,
        );
      for (const [, link] of html.matchAll(/(?:href|src)="(\/(?!pages\/)[^"#]*)"/g)) {
        const target = link!.replaceAll('&amp;', '&');
        if (!visited.has(target) && waiting.length + visited.size < 30) waiting.push(target);
      }
    }
    assert.ok(visited.size > 3, role);
  }
});

/** Returns a search as in the URLs that colleagues share. */
async function sealSearch(organization: string, search: string): Promise<string> {
  const { browser, csrf } = await signInAs(server, [{ organization, roles: ['fundraiser'] }]);
  const { to } = await browser.request('/donations/search', { csrf, search, organization });
  const url = new URL(to!, 'http://admin.example');
  assert.match((await browser.request(url.pathname + url.search)).html, new RegExp(search));
  return url.searchParams.get('search')!;
}

/** Lists URLs of all pages and downloads, with references, filters, and organizations. */
function listUrls(data: DonorData, sealed: string): string[] {
  const queries = [
    ...[OWN, OTHER, 'nothing', ''].map((organization) => `organization=${organization}`),
    'status=failed',
    'status=needs-review',
    'period=month',
    'frequency=recurring',
    'platform=no',
    `search=${sealed}`,
    'year=2026',
    'kind=receipt&language=de',
  ];
  return GET_ROUTES.flatMap(({ pattern }) => {
    const references = pattern.includes(':reference')
      ? [...data.references, UNKNOWN_REFERENCE]
      : [UNKNOWN_REFERENCE];
    return references.flatMap((reference) => {
      const path = buildPath(pattern, { reference, number: data.receiptNumber });
      return [path, ...queries.map((query) => `${path}?year=2026&${query}`)];
    });
  });
}

/** Requests URLs and asserts that no response contains donor data, or a reference not in its URL. */
async function assertShowsNothing(
  browser: Browser,
  urls: readonly string[],
  word: string,
  { references }: DonorData,
): Promise<void> {
  for (const url of urls) {
    const { html, headers } = await browser.request(url);
    const text = [...headers].join('\n') + html;
    assert.ok(!text.toLowerCase().includes(word), `${url}: ${text}`);
    for (const reference of references)
      assert.ok(url.includes(reference) || !text.includes(reference), `${url}: ${text}`);
  }
}

test('shows a campaigner totals, but no data about donors', async () => {
  const { browser } = await signInAs(server, [
    { organization: ALL_ORGANIZATIONS, roles: ['campaigner'] },
  ]);
  const urls = listUrls(ownData, await sealSearch(OWN, 'canary'));
  assert.ok(urls.length >= 300, String(urls.length));
  await assertShowsNothing(browser, urls, 'canary', ownData);
  assert.match((await browser.request('/')).html, /id="income"/);
  const actor = createActor(ALL_ORGANIZATIONS, ROLE_PERMISSIONS.campaigner);
  for (const [name] of ACTIONS) {
    const { output } = await performActionAs(server, actor, name, { organization: OWN });
    assert.doesNotMatch(JSON.stringify(output), /canary|kanarie/i, name);
  }
});

test('shows and changes nothing of another organization, nor that its references exist', async () => {
  for (const role of ['fundraiser', 'finance'] as const satisfies readonly Role[]) {
    const { browser } = await signInAs(server, [{ organization: OWN, roles: [role] }]);
    const urls = listUrls(otherData, await sealSearch(OTHER, 'kanarie'));
    await assertShowsNothing(browser, urls, 'kanarie', otherData);
    for (const { pattern } of GET_ROUTES.filter((route) => route.pattern.includes(':reference'))) {
      const buildUrl = (reference: string): string =>
        `${buildPath(pattern, { reference, number: otherData.receiptNumber })}?year=2026`;
      const unknown = await browser.request(buildUrl(UNKNOWN_REFERENCE));
      for (const reference of otherData.references) {
        const other = await browser.request(buildUrl(reference));
        assert.deepEqual(
          [pattern, other.status, other.html.replaceAll(reference, UNKNOWN_REFERENCE)],
          [pattern, unknown.status, unknown.html],
        );
      }
    }
  }
});

test('the form builder starts with only the organizations whose forms the person may edit', async () => {
  const listOrganizations = async (organization: string): Promise<string[]> => {
    const { browser } = await signInAs(server, [{ organization, roles: ['campaigner'] }]);
    const { html } = await browser.request('/builder/configuration');
    const { organizations } = JSON.parse(html) as { organizations: { id: string }[] };
    return organizations.map(({ id }) => id);
  };
  assert.deepEqual([await listOrganizations(OWN), await listOrganizations(OTHER)], [[OWN], []]);
});

test('a search finds no reference of another organization', async () => {
  const { browser, csrf } = await signInAs(server, [{ organization: OWN, roles: ['fundraiser'] }]);
  const search = async (reference: string): Promise<string | null> =>
    (await browser.request('/donations/search', { csrf, search: reference })).to;
  const [own, ...others] = [ownData.references[0]!, UNKNOWN_REFERENCE, ...otherData.references];
  assert.equal(await search(own), `/donations/${own}`);
  for (const reference of others) assert.match((await search(reference))!, /^\/donations\?search=/);
});

/** Inputs that name another organization's donations, renewals, events, and donors. */
function createOtherInputs(reference: string): readonly object[] {
  const person = { by: 'Ana', email: 'kanarie@example.org', organization: OTHER };
  const period = { from: '2020-01-01', to: '2020-12-31' };
  return [
    { reference },
    { organization: OTHER },
    { ...person, reference: undefined },
    { organization: OTHER, email: person.email },
    { organization: OTHER, email: person.email, year: 2026 },
    { organization: OTHER, year: 2026 },
    { organization: OTHER, ...period },
    { organization: OTHER, decision: 'not-recorded' },
    { decision: 'not-recorded' },
    { id: OTHER, by: 'Ana' },
    { organization: OTHER, by: 'Ana' },
    { reference, by: 'Ana' },
    { reference, by: 'Ana', reason: 'x' },
    { reference, by: 'Ana', name: 'x', addressLines: [] },
    ...otherData.events.map((event) => ({ reference, by: 'Ana', decision: 'not-recorded', event })),
    { reference, by: 'Ana', decision: 'succeeded', event: 'payment' },
    { by: 'Ana', decision: 'not-recorded', events: otherData.events },
  ];
}

test('performs no action on another organization, nor reveals that its references exist', async () => {
  // Not server-wide actions, and not those that call payment providers.
  const actor = createActor(OWN, PERMISSIONS);
  const readOther = async (): Promise<string> => {
    const [donations, outbox, receipts, pauses] = await Promise.all(
      (['donations', 'outbox', 'receipts', 'pauses'] as const).map((table) =>
        server.database.db
          .selectFrom(table)
          .selectAll()
          .where('organization', '=', OTHER)
          .execute(),
      ),
    );
    return JSON.stringify([donations, outbox, receipts, pauses]);
  };
  const before = await readOther();
  const events = new Set(otherData.events);
  for (const [name] of ACTIONS)
    for (const reference of [otherData.references[0]!, otherData.references.at(-1)!])
      for (const input of createOtherInputs(reference)) {
        const given = JSON.stringify(input);
        const { status, output } = await performActionAs(server, actor, name, input);
        const text = JSON.stringify(output).replaceAll(reference, UNKNOWN_REFERENCE);
        assert.ok(!/kanarie/i.test(text), `${name} ${given}: ${text}`);
        for (const event of events) assert.ok(!text.includes(event), `${name} ${given}: ${text}`);
        if (!('reference' in input) || input.reference === undefined) continue;
        const unknown = await performActionAs(server, actor, name, {
          ...input,
          reference: UNKNOWN_REFERENCE,
        });
        assert.deepEqual(
          [name, given, status, text],
          [name, given, unknown.status, JSON.stringify(unknown.output)],
        );
      }
  assert.equal(await readOther(), before);
});

test('lists organizations that are no longer configured only for roles in all organizations', async () => {
  server.replaceOrganizations([own!]);
  try {
    for (const [organization, expected] of [
      [ALL_ORGANIZATIONS, true],
      [OWN, false],
    ] as const) {
      const actor = createActor(organization, ['donations:read', 'totals:read']);
      for (const [name, input] of [
        ['donations.list', {}],
        ['review.list', {}],
        ['review.match', { decision: 'not-recorded' }],
      ] as const) {
        const { output } = await performActionAs(server, actor, name, input);
        const isListed = otherData.references.some((reference) =>
          JSON.stringify(output).includes(reference),
        );
        assert.deepEqual([organization, name, isListed], [organization, name, expected]);
      }
      const { browser } = await signInAs(server, [{ organization, roles: ['fundraiser'] }]);
      const { html } = await browser.request('/');
      assert.equal(html.includes('kanarie'), expected);
    }
    const { browser } = await signInAs(server, [
      { organization: OWN, roles: ['campaigner'] },
      { organization: OTHER, roles: ['fundraiser'] },
    ]);
    assert.equal((await browser.request('/')).status, 200);
  } finally {
    server.replaceOrganizations([own!, { ...own!, id: OTHER }]);
  }
});
