import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsEmail } from '../../../src/server/privacy/match-email.ts';

test('matches an email in any escaping, but not as part of a longer one', () => {
  for (const text of [
    'ana@example.org',
    '{"email":"Ana@Example.org"}',
    '<email>ana@example.org</email>',
    'email=ana@example.org&x=1',
    'Ana <ana@example.org>.',
    'a\\nana@example.org\\n',
    '"\\u0061na@example.org"',
    '&#97;na&#64;example.org',
    'ana%40example.org',
    '{"a":"ana\\u0040example.org"}',
    'ana&#x40;example.org',
    'Called ana@example.org, twice.',
  ])
    assert.ok(mentionsEmail(text, 'ana@example.org'), text);
  for (const text of [
    'joana@example.org',
    'an.a@example.org',
    'jo.ana@example.org',
    'x+ana@example.org',
    'ana@example.org.uk',
    'ana@example.orgs',
    'ana@example.org-mail.net',
    'ana@example.com',
    '',
  ])
    assert.ok(!mentionsEmail(text, 'ana@example.org'), text);
  assert.ok(mentionsEmail('joana@example.org, ana@example.org', 'ana@example.org'));
});
