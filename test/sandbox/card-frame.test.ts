import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/core/i18n/language.ts';
import { problemOf } from '../../src/sandbox/card-frame/checks.ts';
import { frameLanguage, words } from '../../src/sandbox/card-frame/words.ts';

test('the card frame has all words in every language of the form, and no others', () => {
  assert.deepEqual(Object.keys(words).sort(), [...LANGUAGES].sort());
  for (const [language, own] of Object.entries(words)) {
    assert.deepEqual(Object.keys(own).sort(), Object.keys(words.en).sort(), language);
    for (const [name, text] of Object.entries(own)) {
      assert.ok(text !== '' && text === text.trim(), `${language}: ${name}`);
      assert.ok(
        language === 'en' || name === 'expiryForm' || text !== words.en[name as keyof typeof own],
        `${language}: ${name} is English`,
      );
    }
    assert.match(own.badExpiry, /09 \/ 29/, language);
    assert.match(own.badAccount, /8.*17/, language);
    assert.match(own.badRouting, /6.*9/, language);
  }
});

test('the card frame speaks English where it does not know the language', () => {
  assert.deepEqual([undefined, 'ja', 'pt-BR', 'ko', 'toString'].map(frameLanguage), [
    'en',
    'ja',
    'pt-BR',
    'en',
    'en',
  ]);
});

test('the fields take what is right, however it is grouped, and name what is wrong', () => {
  for (const [name, written, problem] of [
    ['number', '4242 4242 4242 4242', undefined],
    ['number', '4242 4242 4242 4241', 'badNumber'],
    ['number', '4242', 'badNumber'],
    ['expiry', '12 / 99', undefined],
    ['expiry', '12 / 2099', undefined],
    ['expiry', '13 / 99', 'badExpiry'],
    ['expiry', '12', 'badExpiry'],
    ['expiry', '01 / 20', 'expired'],
    ['cvc', '123', undefined],
    ['cvc', '12', 'badCvc'],
    ['account', '0001 1111 1113', undefined],
    ['account', '1234567', 'badAccount'],
    ['account', '123456789012345678', 'badAccount'],
    ['routing', '110000000', undefined],
    ['routing', '10-88-00', undefined],
    ['routing', '1234567', 'badRouting'],
  ] as const)
    assert.equal(problemOf(name, written), problem, `${name} ${written}`);
});
