import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  describeMisspelledAttributes,
  HYPHENATED_ATTRIBUTES,
} from '../../src/core/page-diagnosis/mistakes.ts';
import { CHECKED_STYLES } from '../../src/donation-form/debug/find-mistakes.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

test("each attribute of several words is suggested for its property's name", () => {
  const names = DonationFormElement.observedAttributes.filter((name) => name.includes('-'));
  assert.deepEqual([...HYPHENATED_ATTRIBUTES].sort(), names.sort());
  for (const name of names) {
    for (const misspelled of [name.replaceAll('-', ''), name.replaceAll('-', '_')])
      assert.deepEqual(describeMisspelledAttributes('donation-form', [misspelled]), [
        `<donation-form> ignores the attribute ${misspelled}; write ${name}`,
      ]);
    assert.deepEqual(describeMisspelledAttributes('div', [name, `data-${name}`]), []);
  }
});

test('no other attribute is suggested', () => {
  const names = [
    'id',
    'class',
    'form',
    'lang',
    'data-id',
    'data-form',
    'aria-label',
    'url',
    '_',
    '-',
  ];
  assert.deepEqual(describeMisspelledAttributes('donation-form', names), []);
});

test('the values of all custom properties are checked', () => {
  const checked = CHECKED_STYLES.flatMap(([names]) => names.map((name) => `--donation-${name}`));
  const element = readFileSync('src/donation-form/form/donation-form.ts', 'utf8');
  const documented = [...element.matchAll(/@cssprop (\S+)/g)].map(([, name]) => name);
  assert.deepEqual(checked.sort(), documented.sort());
});
