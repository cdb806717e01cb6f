import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CustomFieldDataType as Type,
  parseCustomValue,
} from '../../src/core/donor/custom-field.ts';

test("rule 48: parses a custom field's value by its type", () => {
  const options = ['Red', 'Dark blue'];
  for (const [type, good, bad] of [
    [
      Type.Boolean,
      [
        ['yes', 'true'],
        ['0', 'false'],
        ['TRUE', 'true'],
      ],
      ['maybe', '2', 'constructor'],
    ],
    [
      Type.Date,
      [['2026-02-28', '2026-02-28']],
      ['2026-02-30', '28.02.2026', '2026-2-8', '2026-02-28T10:00'],
    ],
    [
      Type.Decimal,
      [
        ['-3.25', '-3.25'],
        ['7', '7'],
      ],
      ['1,5', '1e3', 'x'],
    ],
    [Type.Integer, [['42', '42']], ['4.2', '0x1']],
    [Type.Text, [['Any text', 'Any text']], ['x'.repeat(1_001)]],
    [
      Type.Link,
      [['https://example.org/a', 'https://example.org/a']],
      ['javascript:alert(1)', 'example.org'],
    ],
    [Type.List, [['red', 'Red']], ['green', '']],
    [Type.Multiselect, [['red, dark blue,Red', 'Red,Dark blue']], ['red,green', '']],
  ] as const) {
    for (const [input, read] of good)
      assert.equal(parseCustomValue(input, type, options), read, input);
    for (const junk of bad) assert.equal(parseCustomValue(junk, type, options), undefined, junk);
  }
});
