import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSandbox } from './support.ts';

const DAY = 86_400_000;
const PATH = '/virtuous-crm/api/v2/Gift/Transaction';
const transaction = {
  transactionSource: 'Website',
  transactionId: 'donation-1',
  contact: { firstname: 'Ana', lastname: 'Souza', email: 'ana@example.org' },
  giftDate: '2026-11-21',
  giftType: 'Cash',
  amount: '50.00',
  currencyCode: 'USD',
  designations: [{ code: 'WATER', amountDesignated: '50.00' }],
};

test('accepts a gift transaction without an ID, and creates one gift at night', async () => {
  const { request, advanceTime } = openSandbox();
  for (const attempt of [1, 2]) {
    const { status, body } = await request(PATH, transaction);
    assert.deepEqual([status, body], [200, ''], String(attempt));
  }
  const find = () => request('/virtuous-crm/api/Gift/Website/donation-1');
  assert.equal((await find()).status, 404);
  advanceTime(DAY);
  const { status, body } = await find();
  assert.equal(status, 200);
  assert.deepEqual(body, {
    id: 1,
    transactionSource: 'Website',
    transactionId: 'donation-1',
    giftDate: '2026-11-21',
    giftType: 'Cash',
    amount: 50,
    currencyCode: 'USD',
    giftDesignations: [{ code: 'WATER', amountDesignated: '50.00' }],
  });
  assert.equal((await request('/virtuous-crm/api/Gift/Other/donation-1')).status, 404);
});

test('rejects a gift whose designations do not add up to its amount, and a wrong key', async () => {
  const { request } = openSandbox();
  for (const designations of [[], [{ code: 'WATER', amountDesignated: '30.00' }]])
    assert.equal((await request(PATH, { ...transaction, designations })).status, 400);
  const headers = { Authorization: 'Bearer other' };
  assert.equal((await request(PATH, transaction, { headers })).status, 401);
  assert.deepEqual((await request('/virtuous-crm/sandbox/transactions')).body, { items: [] });
});

test('accepts the documented fields of a gift transaction, and names others and wrong types', async () => {
  const { request } = openSandbox();
  const dedication = { tributeLastName: 'Lee', acknowledgeeEmail: 'kim@example.org' };
  const contact = { ...transaction.contact, emailLists: ['News'] };
  for (const [change, message] of [
    [{ tributeDedication: dedication, contact, customFields: { Heard: 'Event' } }, undefined],
    [{ tributeDedication: { ...dedication, kind: 'honor' } }, 'no field tributeDedication.kind'],
    [{ contact: { ...contact, emailLists: 'News' } }, 'contact.emailLists must be a list'],
    [{ customFields: [{ name: 'Heard', value: 'Event' }] }, 'customFields must be a <values by'],
    [{ customFields: { Heard: 5 } }, 'customFields must be a <values by name>'],
    [{ isPrivate: 'true' }, 'isPrivate must be a <boolean>'],
    [{ amount: 50 }, 'amount must be a <string>'],
    [{ contact: undefined }, 'contact is required'],
    [{ toString: 'x' }, 'no field toString'],
  ] as const) {
    const { status, body } = await request(PATH, { ...transaction, ...change });
    assert.equal(status, message === undefined ? 200 : 400, JSON.stringify(change));
    if (message !== undefined)
      assert.ok((body as { message: string }).message.includes(message), JSON.stringify(body));
  }
});

test('limits the calls of an hour to 5,000, apart from those of the other platform', async () => {
  const { request } = openSandbox({ hourlyLimit: 1 });
  await request('/api/campaign/list?skip=0&take=1');
  const { status, headers } = await request('/virtuous-crm/api/Organization/Current');
  assert.deepEqual([status, headers.get('X-RateLimit-Remaining')], [200, '4999']);
});
