import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v1 from '../../src/platform-clients/donation-v1/index.ts';
import * as fundraising from '../../src/platform-clients/fundraising/index.ts';

const secret = 'a-secret-that-only-the-platform-knows';
const options = { secret, typeAt: ['event', 'type'] };
const sent = (
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
const json = (type: unknown, more: object = {}): Request =>
  sent(JSON.stringify({ event: { type }, ...more }));
const xml = (inner: string): Request =>
  sent(
    `<?xml version="1.0"?><notice><event><type>Gift_Added</type></event>${inner}</notice>`,
    'text/xml; charset=utf-8',
  );

test('a webhook is read in JSON and in XML, its type by name or value', async () => {
  assert.deepEqual(await fundraising.readWebhook(json('Gift_Added', { id: 7 }), options), {
    type: 10,
    format: 1,
    payload: { event: { type: 'Gift_Added' }, id: 7 },
  });
  for (const type of [52, '52', 'Premium_Deleted'])
    assert.equal(
      (await fundraising.readWebhook(json(type), options)).type,
      fundraising.EventType.Premium_Deleted,
    );
  const { type, format, payload } = await fundraising.readWebhook(
    xml('<postal>02134</postal><name>A &amp; B&#233; </name>'),
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
  assert.equal((await v1.readWebhook(json('Fund.Edited'), options)).type, 10);
  assert.equal(
    (await v1.readWebhook(json(18), options)).type,
    v1.WebhookEventType['Product.Deleted'],
  );
});

test('a webhook that is none is refused, with the status to answer', async () => {
  const deep = `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`;
  for (const [name, request, status] of [
    [
      'another secret',
      sent('{}', 'application/json', { path: '/webhooks/fundraising/other' }),
      404,
    ],
    ['no secret', sent('{}', 'application/json', { path: '/' }), 404],
    ['another method', sent(null, 'application/json', { method: 'GET' }), 405],
    ['another type of content', sent('a=b', 'application/x-www-form-urlencoded'), 415],
    ['a payload that is too large', sent(`{"a":"${'x'.repeat(300_000)}"}`), 413],
    ['no JSON', sent('{"event":'), 400],
    ['a list', sent('[]'), 400],
    ['no UTF-8', sent(new Uint8Array([0x7b, 0xff, 0x7d])), 400],
    ['an unknown type', json('Gift_Eaten'), 400],
    ['a type of the other interface', json('Donation.Created'), 400],
    ['a type that is inherited', json('constructor'), 400],
    ['no type', sent('{}'), 400],
    ['malformed XML', sent('<event><type>Gift_Added</event>', 'application/xml'), 400],
    [
      'XML with a document type',
      sent(
        '<!DOCTYPE event [<!ENTITY x SYSTEM "file:///etc/passwd">]><event><type>&x;</type></event>',
        'application/xml',
      ),
      400,
    ],
    [
      'XML with entities in entities',
      sent(
        '<!doctype a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><event><type>&b;</type></event>',
        'application/xml',
      ),
      400,
    ],
    ['XML that is nested deep', xml(deep), 400],
    [
      'XML that names the prototype',
      sent('<__proto__><type>Gift_Added</type></__proto__>', 'application/xml'),
      400,
    ],
    ['empty XML', sent('', 'application/xml'), 400],
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
      fundraising.readWebhook(json('Gift_Added'), { ...options, secret: odd }),
      RangeError,
    );
});

test('value 15 of the v1 events is unassigned, and the interfaces share no event', () => {
  assert.deepEqual(
    Object.values(v1.WebhookEventType),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18],
  );
  assert.deepEqual(
    Object.keys(v1.WebhookEventType).filter((name) => name in fundraising.EventType),
    [],
  );
});
