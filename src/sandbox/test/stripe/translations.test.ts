import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../../core/i18n/languages.ts';
import { resolveLanguage, translations } from '../../stripe/browser/translations.ts';
import { validateField } from '../../stripe/browser/validation.ts';

test('translates every text of the payment fields into exactly the languages of the form', () => {
  assert.deepEqual(
    Object.keys(translations).sort(),
    LANGUAGES.filter((language) => language !== 'en-GB').sort(),
  );
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
  }
});

test("understands Stripe's names of languages, and falls back to English", () => {
  assert.deepEqual(
    [undefined, 'en-GB', 'ja', 'pt-BR', 'zh', 'ko', 'toString'].map(resolveLanguage),
    ['en', 'en', 'ja', 'pt-BR', 'zh-Hans', 'en', 'en'],
  );
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
    ['account', '0001 2345 6789', undefined],
    ['account', '1234567', 'invalidAccount'],
    ['account', '123456789012345678', 'invalidAccount'],
    ['iban', 'at61 1904 3002 3457 3201', undefined],
    ['iban', 'AT61', 'invalidIban'],
  ] as const)
    assert.equal(validateField(name, text)?.message, error, `${name} ${text}`);
});
