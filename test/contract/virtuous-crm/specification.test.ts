import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  GIFT_TRANSACTION_FIELDS,
  GIFT_TYPES,
} from '../../../src/sandbox/virtuous-crm/transaction-fields.ts';
import { GIFT_TRANSACTION, SOURCE } from './specification.ts';

test('is the file of the commit that NOTICE names', () => {
  const id = createHash('sha1')
    .update(`blob ${Buffer.byteLength(SOURCE)}\0${SOURCE}`)
    .digest('hex');
  assert.equal(id, '0102d7466d22a1f51f019fab0a5353d5e8c769d8');
});

test('has the same fields of a gift transaction as the sandbox', () => {
  const { customFields, ...fields } = GIFT_TRANSACTION;
  assert.deepEqual(customFields, { fieldName: 'fieldValue', fieldName2: 'fieldValue2' });
  const { customFields: sandboxType, giftDesignations, ...sandboxFields } = GIFT_TRANSACTION_FIELDS;
  assert.equal(sandboxType, '<values by name>');
  // Documented only in the guides.
  assert.deepEqual(giftDesignations, [{ projectCode: '<string>', amountDesignated: '<string>' }]);
  assert.deepEqual(
    sandboxFields,
    JSON.parse(JSON.stringify(fields), (_name, value: unknown) =>
      Array.isArray(value) ? value.slice(0, 1) : value,
    ),
  );
});

test('names the gift types that the configuration uses by default', () => {
  assert.ok(SOURCE.includes(`Examples: ${GIFT_TYPES.join(', ')}.`));
  for (const type of ['Credit', 'EFT', 'PayPal', 'Cash']) assert.ok(GIFT_TYPES.includes(type));
});

test('has no field for the kind of consent, and no values for the kind of tribute', () => {
  assert.match(SOURCE, /description: 'The tribute dedication type for the gift transaction'/);
  assert.doesNotMatch(SOURCE, /consent|memory|honor/i);
});
