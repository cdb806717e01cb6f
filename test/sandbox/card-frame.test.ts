import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/model/language.ts';
import { frameLanguage, words } from '../../src/sandbox/card-frame/words.ts';

test('the card frame has all words in every language of the form, and no others', () => {
  assert.deepEqual(Object.keys(words).sort(), [...LANGUAGES].sort());
  for (const [language, own] of Object.entries(words)) {
    assert.deepEqual(Object.keys(own).sort(), Object.keys(words.en).sort(), language);
    for (const [name, text] of Object.entries(own)) {
      assert.ok(text !== '' && text === text.trim(), `${language}: ${name}`);
      assert.ok(language === 'en' || name === 'expiryForm' || text !== words.en[name as keyof typeof own], `${language}: ${name} is English`);
    }
    assert.match(own.badExpiry, /09 \/ 29/, language);
  }
});

test('the card frame speaks English where it does not know the language', () => {
  assert.deepEqual([undefined, 'ja', 'pt-BR', 'ko', 'toString'].map(frameLanguage), ['en', 'ja', 'pt-BR', 'en', 'en']);
});
