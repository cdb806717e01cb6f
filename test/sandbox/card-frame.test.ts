import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';
import { validateField } from '../../src/sandbox/card-frame/validation.ts';
import { resolveLanguage, translations } from '../../src/sandbox/card-frame/translations.ts';

test('translates every text of the card frame into exactly the languages of the form', () => {
  assert.deepEqual(Object.keys(translations).sort(), [...LANGUAGES].sort());
  for (const [language, messages] of Object.entries(translations)) {
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(translations.en).sort(), language);
    for (const [name, text] of Object.entries(messages)) {
      assert.ok(text !== '' && text === text.trim(), `${language}: ${name}`);
      assert.ok(
        language === 'en' ||
          name === 'expiryFormat' ||
          text !== translations.en[name as keyof typeof messages],
        `${language}: ${name} is English`,
      );
    }
    assert.match(messages.invalidExpiry, /09 \/ 29/, language);
    assert.match(messages.invalidAccount, /8.*17/, language);
    assert.match(messages.invalidRouting, /6.*9/, language);
  }
});

test('falls back to English for an unknown language', () => {
  assert.deepEqual([undefined, 'ja', 'pt-BR', 'ko', 'toString'].map(resolveLanguage), [
    'en',
    'ja',
    'pt-BR',
    'en',
    'en',
  ]);
});

test('accepts valid values in any grouping and names the error of an invalid value', () => {
  for (const [name, text, error] of [
    ['number', '4242 4242 4242 4242', undefined],
    ['number', '4242 4242 4242 4241', 'invalidNumber'],
    ['number', '4242', 'invalidNumber'],
    ['expiry', '12 / 99', undefined],
    ['expiry', '12 / 2099', undefined],
    ['expiry', '13 / 99', 'invalidExpiry'],
    ['expiry', '12', 'invalidExpiry'],
    ['expiry', '01 / 20', 'cardExpired'],
    ['cvc', '123', undefined],
    ['cvc', '12', 'invalidCvc'],
    ['account', '0001 1111 1113', undefined],
    ['account', '1234567', 'invalidAccount'],
    ['account', '123456789012345678', 'invalidAccount'],
    ['routing', '110000000', undefined],
    ['routing', '10-88-00', undefined],
    ['routing', '1234567', 'invalidRouting'],
  ] as const)
    assert.equal(validateField(name, text), error, `${name} ${text}`);
});
