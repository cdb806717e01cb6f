import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestEmail } from '../../src/core/donor/suggest-email.ts';

const SUGGESTIONS = {
  'gmial.com': 'gmail.com',
  'gmal.com': 'gmail.com',
  'gamil.com': 'gmail.com',
  'gmail.con': 'gmail.com',
  'gmail.co': 'gmail.com',
  'gmail,com': 'gmail.com',
  gmail: 'gmail.com',
  'gmil.con': 'gmail.com',
  'GMIAL.COM': 'gmail.com',
  'yaho.co.uk': 'yahoo.co.uk',
  'hotmial.fr': 'hotmail.fr',
  'outllok.com': 'outlook.com',
  'iclod.com': 'icloud.com',
  'verison.net': 'verizon.net',
  'example.con': 'example.com',
  'example.ogr': 'example.org',
} as const;

for (const [domain, suggestion] of Object.entries(SUGGESTIONS))
  test(`suggests ${suggestion} for ${domain}`, () =>
    assert.equal(suggestEmail(` Ana.Souza+wells@${domain} `), `Ana.Souza+wells@${suggestion}`));

const ACCEPTED_DOMAINS =
  'gmail.com ymail.com mail.com email.com outlook.com gmx.de gmx.li yahoo.ca hotmail.se live.nl ' +
  'web.nl mi.com love.com orange.com orange.co example.org example.co lanternwell.example';

for (const domain of ACCEPTED_DOMAINS.split(' '))
  test(`suggests nothing for ${domain}`, () =>
    assert.equal(suggestEmail(`ana@${domain}`), undefined));

test('suggests nothing for text that is not an email address', () => {
  for (const text of [
    '',
    'ana',
    '@gmial.com',
    'ana@',
    'ana@gmial.com bob@gmial.com',
    'a@b@gmial.com',
  ])
    assert.equal(suggestEmail(text), undefined, text);
});
