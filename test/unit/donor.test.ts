import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLine, cleanText, isEmail } from '../../src/model/donor.ts';

test('rule 15: control characters and direction overrides leave a text, line breaks stay in comments only', () => {
  assert.equal(cleanLine('  Ana\u0000\u202e \t Souza\n'), 'Ana Souza');
  assert.equal(cleanText('Dear all,\r\n\u2066for the wells\u0007\n'), 'Dear all,\nfor the wells');
});

test('an e-mail address has one @ and a domain with a dot', () => {
  for (const good of ['ana@example.org', 'a+b@x.co', "o'neil@mail.example.org", 'ü@bücher.example']) assert.ok(isEmail(good), good);
  for (const bad of ['ana', 'ana@', '@example.org', 'a b@example.org', 'ana@example', 'a@b@c.org', 'ana@example..org', `${'a'.repeat(250)}@x.org`]) assert.ok(!isEmail(bad), bad);
});
