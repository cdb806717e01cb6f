import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLine, cleanText } from '../../src/core/donor/donor.ts';
import { cleanEmail, isEmail } from '../../src/core/donor/email.ts';

test('rule 15: removes control characters and direction overrides, and keeps line breaks only in comments', () => {
  assert.equal(cleanLine('  Ana\u0000\u202e \t Souza\n'), 'Ana Souza');
  assert.equal(cleanText('Dear all,\r\n\u2066for the wells\u0007\n'), 'Dear all,\nfor the wells');
});

test("reads other programs' line separators as line breaks, or as spaces on a single line", () => {
  for (const mark of ['\v', '\f', '\u0085', '\u2028', '\u2029']) {
    assert.equal(cleanText(`Dear all, ${mark}for the wells${mark}`), 'Dear all,\nfor the wells');
    assert.equal(cleanLine(`Ana${mark}Souza`), 'Ana Souza');
  }
});

test('cleaning is idempotent, so the server accepts text that the form has cleaned', () => {
  const pieces = [
    'a',
    ' ',
    '\u200f',
    '\n',
    '\t',
    '\u202e',
    '\r\n',
    '\u00a0',
    'כ',
    '😀',
    '\u0000',
    '\u2028',
    '\u0085',
  ];
  for (let number = 0; number < 30_000; number += 1) {
    const text = Array.from(
      { length: 6 },
      (_, place) => pieces[Math.floor(number / pieces.length ** place) % pieces.length],
    ).join('');
    assert.equal(cleanLine(cleanLine(text)), cleanLine(text));
    assert.equal(cleanText(cleanText(text)), cleanText(text));
  }
  assert.equal(cleanLine('משה \u200f כהן'), 'משה כהן');
});

test('accepts email addresses with one @ and a domain with a dot', () => {
  for (const good of ['ana@example.org', 'a+b@x.co', "o'neil@mail.example.org", 'ü@bücher.example'])
    assert.ok(isEmail(good), good);
  for (const bad of [
    'ana',
    'ana@',
    '@example.org',
    'a b@example.org',
    'ana@example',
    'a@b@c.org',
    'ana@example..org',
    'an\ufffd@example.org',
    `${'a'.repeat(250)}@x.org`,
  ])
    assert.ok(!isEmail(bad), bad);
});

test('drops invisible characters from emails but not spaces between words', () => {
  for (const invisible of '\u00a0\u00ad\u034f\u200b\u200d\u200e\u202f\u202e\u2060\ufe0f\ufeff')
    assert.equal(
      cleanEmail(` ${invisible}ana${invisible}@example.org${invisible}`),
      'ana@example.org',
      invisible.codePointAt(0)!.toString(16),
    );
  assert.equal(cleanEmail('ana souza@example.org'), 'ana souza@example.org');
});

test('bar 29: removes half of a surrogate pair, such as of an emoji that was cut', () => {
  assert.equal(cleanLine('Ana \ud83d'), 'Ana');
  assert.equal(cleanText('Thank you \ude00!\n\ud83d\ude00'), 'Thank you !\n\ud83d\ude00');
});
