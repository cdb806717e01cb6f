import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v1 from '../donation-v1/index.ts';
import * as fundraising from '../fundraising/index.ts';

const secret = 'a-secret-that-only-the-platform-knows';
const options = { secret, typePath: ['event', 'type'] };
const createRequest = (
  body: BodyInit | null,
  type = 'application/json',
  { path = `/webhooks/fundraising/${secret}`, method = 'POST' } = {},
): Request =>
  new Request(`https://give.example${path}`, {
    method,
    headers: { 'Content-Type': type },
    ...(body !== null && { body }),
    duplex: 'half',
  } as RequestInit);
const createJsonWebhook = (type: unknown, more: object = {}): Request =>
  createRequest(JSON.stringify({ event: { type }, ...more }));
const createXmlWebhook = (inner: string): Request =>
  createRequest(
    `<?xml version="1.0"?><notice><event><type>Gift_Added</type></event>${inner}</notice>`,
    'text/xml; charset=utf-8',
  );

test('reads webhooks in JSON and XML, with the event type as a name or a value', async () => {
  assert.deepEqual(
    await fundraising.readWebhook(createJsonWebhook('Gift_Added', { id: 7 }), options),
    {
      type: 10,
      format: 1,
      payload: { event: { type: 'Gift_Added' }, id: 7 },
    },
  );
  for (const type of [52, '52', 'Premium_Deleted'])
    assert.equal(
      (await fundraising.readWebhook(createJsonWebhook(type), options)).type,
      fundraising.EventType.Premium_Deleted,
    );
  const { type, format, payload } = await fundraising.readWebhook(
    createXmlWebhook('<postal>02134</postal><name>A &amp; B&#233; </name>'),
    options,
  );
  assert.deepEqual(
    [type, format, payload],
    [
      10,
      fundraising.WebhookFormat.XML,
      { event: { type: 'Gift_Added' }, postal: '02134', name: 'A & Bé' },
    ],
  );
  assert.equal((await v1.readWebhook(createJsonWebhook('Fund.Edited'), options)).type, 10);
  assert.equal(
    (await v1.readWebhook(createJsonWebhook(18), options)).type,
    v1.WebhookEventType['Product.Deleted'],
  );
});

test('rejects an invalid webhook with the status to respond with', async () => {
  const deep = `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`;
  for (const [name, request, status] of [
    [
      'a wrong secret',
      createRequest('{}', 'application/json', { path: '/webhooks/fundraising/other' }),
      404,
    ],
    ['no secret', createRequest('{}', 'application/json', { path: '/' }), 404],
    ['a wrong method', createRequest(null, 'application/json', { method: 'GET' }), 405],
    ['an unsupported content type', createRequest('a=b', 'application/x-www-form-urlencoded'), 415],
    ['a payload that is too large', createRequest(`{"a":"${'x'.repeat(300_000)}"}`), 413],
    ['invalid JSON', createRequest('{"event":'), 400],
    ['a list', createRequest('[]'), 400],
    ['invalid UTF-8', createRequest(new Uint8Array([0x7b, 0xff, 0x7d])), 400],
    ['an unknown event type', createJsonWebhook('Gift_Eaten'), 400],
    ['an event type of the other API', createJsonWebhook('Donation.Created'), 400],
    ['an inherited property as the event type', createJsonWebhook('constructor'), 400],
    ['no event type', createRequest('{}'), 400],
    ['malformed XML', createRequest('<event><type>Gift_Added</event>', 'application/xml'), 400],
    [
      'XML with a document type',
      createRequest(
        '<!DOCTYPE event [<!ENTITY x SYSTEM "file:///etc/passwd">]><event><type>&x;</type></event>',
        'application/xml',
      ),
      400,
    ],
    [
      'XML with nested entities',
      createRequest(
        '<!doctype a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><event><type>&b;</type></event>',
        'application/xml',
      ),
      400,
    ],
    ['deeply nested XML', createXmlWebhook(deep), 400],
    [
      'XML with a __proto__ element',
      createRequest('<__proto__><type>Gift_Added</type></__proto__>', 'application/xml'),
      400,
    ],
    ['empty XML', createRequest('', 'application/xml'), 400],
  ] as const) {
    await assert.rejects(
      fundraising.readWebhook(request, options),
      (error) =>
        error instanceof fundraising.WebhookError &&
        error.status === status &&
        !error.message.includes(secret),
      name,
    );
  }
  assert.equal(({} as { type?: unknown }).type, undefined);
  for (const odd of ['short', `${secret}+/=`])
    await assert.rejects(
      fundraising.readWebhook(createJsonWebhook('Gift_Added'), { ...options, secret: odd }),
      RangeError,
    );
});

test('leaves event type 15 of v1 unassigned, and shares no event name between the APIs', () => {
  assert.deepEqual(
    Object.values(v1.WebhookEventType),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18],
  );
  assert.deepEqual(
    Object.keys(v1.WebhookEventType).filter((name) => name in fundraising.EventType),
    [],
  );
});
