import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAdminDocument, createPublicDocument } from '../../scripts/openapi-documents.ts';
import {
  ACTION_ROUTES,
  type ActionName,
  type ActionRoute,
} from '../../src/server/admin/actions/action-routes.ts';
import { createAdminRoutes } from '../../src/server/admin/create-admin-app.ts';
import { createRoutes } from '../../src/server/http/create-app.ts';
import {
  addInboundWebhook,
  ADMIN_KEY,
  createAdminContext,
  createDonationInReview,
  startAdminServer,
  WEBHOOK_ENDPOINT,
} from './admin/support.ts';
import { createTestMail } from './mail/support.ts';
import { OpenApiChecker } from './openapi-checker.ts';
import { addReceipt } from './receipts/add-receipt.ts';
import { CARDS, createIdempotencyKey, ORIGIN } from './support.ts';

const SECRET = 'canary-mail-secret';

const server = await startAdminServer({
  hasBackgroundJobs: false,
  mail: createTestMail(1, { eventSecret: SECRET }),
  webhookEndpoints: [WEBHOOK_ENDPOINT],
});
after(() => server[Symbol.asyncDispose]());

/** Pages and files for browsers, which are no API. */
const PAGES = [
  'GET /',
  'GET /*',
  'GET /THIRD-PARTY-NOTICES.txt',
  'GET /donate',
  'GET /embed/{file}',
  'GET /links',
  'GET /links/preview/{form}',
  'GET /manage',
  'GET /pages/{name}',
  'POST /donate',
];

/** Formats the routes of an app as in a document, without middleware. */
const listRoutes = ({
  routes,
}: {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}): string[] =>
  [
    ...new Set(
      routes
        .filter(({ method }) => method !== 'ALL')
        .map(
          ({ method, path }) =>
            `${method} ${path.replaceAll(/:(\w+)(?:\{.*?\}(?=\/|$))?/g, '{$1}').replace(/(.)\/$/, '$1')}`,
        ),
    ),
  ].sort();

test('the OpenAPI documents have been generated from the code', () => {
  for (const [name, document] of [
    ['server', createPublicDocument()],
    ['server-admin', createAdminDocument()],
  ] as const)
    assert.deepEqual(
      new OpenApiChecker(name).document,
      JSON.parse(JSON.stringify(document)),
      `${name}.yaml: run npm run docs:reference`,
    );
});

test('the OpenAPI documents have the routes of both listeners, and no others', () => {
  assert.deepEqual(
    [...new OpenApiChecker('server').operations, ...PAGES].sort(),
    listRoutes(createRoutes(server)),
  );
  const adminRoutes = listRoutes(createAdminRoutes(createAdminContext(server)));
  const { operations } = new OpenApiChecker('server-admin');
  assert.deepEqual(
    adminRoutes.filter((route) => / \/(api\/|metrics|readyz|settings-report)/.test(route)),
    [...operations].sort(),
  );
});

const api = new OpenApiChecker('server');

/** Sends a request to the public listener, and returns the status and the errors of the request. */
async function send(
  path: string,
  init: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly errors: readonly string[] }> {
  const { body, headers } = init;
  const request = new Request(`https://give.example${path}`, {
    headers: {
      Origin: ORIGIN,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });
  const { response, requestErrors } = await api.send(request, (sent) =>
    server.handler.fetch(sent, {}),
  );
  return { status: response.status, errors: requestErrors };
}

test('public requests and responses match the OpenAPI document', async () => {
  const key = (): Record<string, string> => ({ 'Idempotency-Key': createIdempotencyKey() });
  const token = server.fakeStripe.createConfirmationToken(CARDS.good, { isRecurring: false });
  const donation = await server.createRequest({
    payment: { provider: 'stripe', method: 0, token, returnUrl: `${ORIGIN}/give` },
  });
  const made = key();
  const settings = { form: 'main', ignored: [{ name: 'amount', reason: 'invalid' }] };
  const mailHeaders = { Authorization: `Bearer ${SECRET}` };
  const bounce = { messageId: '<a@example.org>', type: 'bounced' };
  const cases: readonly (readonly [
    path: string,
    init: Parameters<typeof send>[1],
    status: number,
    isValid?: boolean,
  ])[] = [
    ['/healthz', {}, 200],
    ['/embed.json', {}, 200],
    ['/form', {}, 200],
    ['/form?id=main&language=de', {}, 200],
    ['/form?id=nothing', {}, 404],
    ['/form', { headers: { Origin: 'https://evil.example' } }, 403],
    ['/goal', {}, 404],
    ['/countries', {}, 200],
    ['/countries/DE', {}, 200],
    ['/countries/US', {}, 200],
    ['/countries/XX', {}, 404],
    ['/challenge', {}, 204],
    ['/challenge?required', {}, 200],
    ['/challenge?form=nothing', {}, 404],
    ['/donations', { headers: made, body: donation }, 200],
    ['/donations', { headers: made }, 200],
    ['/donations', { headers: key() }, 404],
    ['/donations', {}, 400, false],
    ['/donations', { headers: key(), body: '{' }, 400, false],
    ['/donations', { headers: key(), body: { ...donation, more: 1 } }, 400, false],
    ['/donations', { headers: key(), body: { ...donation, gift: {} } }, 400, false],
    ['/donations', { headers: key(), body: { ...donation, donor: { email: 1 } } }, 400, false],
    ['/donations', { body: donation }, 400, false],
    ['/donations', { headers: { ...key(), Origin: 'https://evil.example' }, body: donation }, 403],
    ['/donations', { headers: { ...key(), 'Content-Type': 'text/plain' }, body: donation }, 415],
    ['/donations', { headers: made, body: { ...donation, donor: {} } }, 422],
    ['/donations', { headers: key(), body: { ...donation, definition: '"old"' } }, 409],
    ['/donations/confirm', { headers: made, body: {} }, 200],
    ['/donations/confirm', { headers: key(), body: {} }, 404],
    ['/donations/cancel', { headers: made, body: {} }, 200],
    ['/donations/cancel', { body: {} }, 400, false],
    ['/settings-report', { body: settings }, 204],
    ['/settings-report', { body: { ...settings, ignored: [] } }, 400, false],
    ['/settings-report', { body: { ...settings, form: 'nothing' } }, 404],
    ['/mail-events/lanternwell', { headers: mailHeaders, body: bounce }, 404],
    ['/mail-events/lanternwell', { headers: mailHeaders, body: { type: 'x' } }, 400, false],
    ['/mail-events/lanternwell', { body: bounce }, 401],
    ['/webhooks/stripe/lanternwell', { body: {} }, 400],
    ['/webhooks/stripe/nothing', { body: {} }, 404],
    ['/platform-webhooks/lanternwell/nothing', { body: {} }, 404],
  ];
  for (const [path, init, status, isValid = true] of cases) {
    const sent = await send(path, init);
    assert.deepEqual(
      [path, init, sent.status, sent.errors.length === 0],
      [path, init, status, isValid],
      sent.errors.join('\n'),
    );
  }
  await server.repository.pauses.pauseOrganization('lanternwell', 'Ana', '');
  assert.equal((await send('/form')).status, 503);
  await server.repository.pauses.resumeOrganization('lanternwell', 'Ana', '');
  assert.deepEqual(api.uncheckedOperations, []);
});

const admin = new OpenApiChecker('server-admin');

/** Calls an action through the API, and returns the status and the errors of the request. */
async function call(
  name: ActionName,
  { reference = 'x', id = 'x', ...input }: Readonly<Record<string, unknown>>,
  key = ADMIN_KEY,
): Promise<{ readonly status: number; readonly errors: readonly string[] }> {
  const { method, path }: ActionRoute = ACTION_ROUTES[name];
  const url = new URL(
    path.replace(':reference', String(reference)).replace(':id', String(id)),
    'http://127.0.0.1:4103',
  );
  if (method === 'GET')
    url.search = new URLSearchParams(input as Record<string, string>).toString();
  const request = new Request(url, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(method === 'POST' && Object.keys(input).length > 0 && { body: JSON.stringify(input) }),
  });
  const { response, requestErrors } = await admin.send(request, (sent) => server.admin(sent, {}));
  return { status: response.status, errors: requestErrors };
}

test('requests to the admin API and its responses match the OpenAPI document', async () => {
  const { reference } = await createDonationInReview(server);
  const { reference: given } = await server.donate();
  const { payload, createdAt } = (await server.repository.findByReference(reference))!;
  const { email } = payload.donor;
  const year = new Date(createdAt).getUTCFullYear();
  await addReceipt(server.database, given, { year, data: { isTest: true } });
  await addInboundWebhook(server, 'a');
  const by = 'Ana';
  const period = { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  const donor = { email: String(email), by };
  const unknown = 'ABCDE-FGHJK';
  const cases: readonly (readonly [
    name: ActionName,
    input: Readonly<Record<string, unknown>>,
    status: number,
    isValid?: boolean,
  ])[] = [
    ['donations.list', {}, 200],
    ['donations.list', { status: 'succeeded', days: '7' }, 200],
    ['donations.list', { status: 'x' }, 400, false],
    ['donations.list', { organization: 'nothing' }, 400],
    ['donations.export', { from: `${year}-01-01`, to: `${year}-12-31` }, 200],
    ['donations.export', {}, 400, false],
    ['donations.show', { reference }, 200],
    ['donations.show', { reference: unknown }, 404],
    ['donations.retry', { reference }, 200],
    ['donations.resend', { reference: unknown }, 404],
    ['donations.resolve', { reference, by, decision: 'x' }, 400, false],
    ['donations.resolve', { reference, by, decision: 'recorded', event: 'x' }, 409],
    ['donations.resolve', { reference, by, decision: 'succeeded', event: 'payment' }, 200],
    ['gift-aid.cancel', { reference, by }, 400],
    ['gift-aid.claim', period, 200],
    ['receipts.list', { year: String(year) }, 200],
    ['receipts.list', { year: 'x' }, 400, false],
    ['receipts.export', { year }, 200],
    ['receipts.correct', { reference: given, name: 'Ana', addressLines: [], by }, 200],
    ['receipts.correct', { reference: given, name: '', addressLines: 'x', by }, 400, false],
    ['statements.show', { email: 'nobody@example.org', year }, 404],
    ['statements.show', { email: await findEmail(given), year }, 200],
    ['receipts.void', { reference: given, reason: 'x', by }, 200],
    ['receipts.void', { reference: given, reason: 'x', by }, 409],
    ['review.list', {}, 200],
    ['review.match', { decision: 'recorded' }, 200],
    ['review.match', { decision: 'x' }, 400, false],
    ['review.resolve', { decision: 'recorded', events: ['x'], by }, 200],
    ['organizations.list', {}, 200],
    ['organizations.pause', { id: 'lanternwell', by, note: 'x' }, 200],
    ['organizations.list', {}, 200],
    ['organizations.resume', { id: 'lanternwell', by }, 200],
    ['organizations.pause', { id: 'nothing', by }, 404],
    ['organizations.pause', { id: 'lanternwell' }, 400, false],
    ['mail.pause', { by }, 200],
    ['mail.resume', { by }, 200],
    ['mail.resend', {}, 200],
    ['mail.block', donor, 200],
    ['mail.unblock', donor, 200],
    ['mail.unblock', donor, 404],
    ['mail.test', { to: 'x' }, 400],
    ['webhooks.inbound.list', {}, 200],
    ['webhooks.inbound.show', { id: 'a' }, 200],
    ['webhooks.inbound.show', { id: 'b' }, 404],
    ['webhooks.failed', {}, 200],
    ['webhooks.retry', {}, 200],
    ['webhooks.redirect', { from: 'x', to: WEBHOOK_ENDPOINT.url }, 200],
    ['webhooks.redirect', { from: 'x', to: 'x' }, 400],
    ['jobs.run', { timeoutSeconds: 1 }, 200],
    ['jobs.run', { timeoutSeconds: 'x' }, 400, false],
    ['settings.report', {}, 200],
    ['reconcile', { from: `${year}-01-01`, to: `${year}-12-31` }, 200],
    ['donors.export', { email: String(email) }, 200],
    ['donors.delete', donor, 200],
    ['backup', { file: '' }, 400, false],
    ['backup', { file: '/nowhere/backup.sqlite' }, 400],
    ['tokens.create', { name: 'x', organization: '*', permissions: ['totals:read'] }, 200],
    ['tokens.create', { name: 'x', organization: '*', permissions: ['x'] }, 400, false],
    ['tokens.list', {}, 200],
    ['tokens.revoke', { id: 'x' }, 404],
    ['staff.set-roles', { id: 'x', organization: 'lanternwell', roles: ['finance'] }, 404],
    ['staff.remove', { id: 'x' }, 404],
    ['audit.list', {}, 200],
    ['staff.list', {}, 200],
    // Afterwards, the server refuses the admin key.
    [
      'staff.invite',
      { organization: '*', roles: ['administrator'], name: 'Maria', email: 'maria@example.org' },
      200,
    ],
    ['staff.list', {}, 403],
  ];
  for (const [name, input, status, isValid = true] of cases) {
    const sent = await call(name, input);
    assert.deepEqual(
      [name, input, sent.status, sent.errors.length === 0],
      [name, input, status, isValid],
      sent.errors.join('\n'),
    );
  }
  for (const path of ['/readyz', '/metrics'])
    await admin.send(new Request(`http://127.0.0.1:4103${path}`), (sent) => server.admin(sent, {}));
  assert.deepEqual(admin.uncheckedOperations, []);
  for (const name of Object.keys(ACTION_ROUTES) as ActionName[])
    if (name !== 'settings.report') assert.equal((await call(name, {}, 'wrong')).status, 401, name);

  async function findEmail(of: string): Promise<string> {
    return (await server.repository.findByReference(of))!.payload.donor.email!;
  }
});
