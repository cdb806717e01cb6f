import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyJson } from '../../src/donation-form/page/stringify-json.ts';

test('serializes values like JSON.stringify', () => {
  for (const value of [
    null,
    'a"b',
    1.5,
    true,
    [],
    {},
    [1, undefined, [undefined], null],
    { a: undefined, 'b"': { c: [{ d: undefined }] } },
  ])
    assert.equal(stringifyJson(value), JSON.stringify(value));
});
