import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTranslations, renderReviewPage } from '../../scripts/translation-review-page.ts';

const TRANSLATION = {
  form: {
    decimalSeparator: ',',
    donor: 'Ihre Angaben',
    give: '{amount} spenden',
    fields: { city: 'Ort' },
  },
};
const describeScreen = (name: string, texts: string) => ({
  title: name,
  description: `The screen ${name}.`,
  image: `${name}.png`,
  texts,
});

test('shows each text once, beside the first screen that has it, with any values', () => {
  const page = renderReviewPage('de', listTranslations(TRANSLATION), [
    describeScreen('first', 'Ihre Angaben\nJetzt 50 € spenden'),
    describeScreen('second', 'Ihre Angaben\nOrtschaft'),
  ]);
  const [, first = '', rest = ''] = page.split('<section>');
  assert.match(first, /first\.png/);
  assert.deepEqual(
    ['Ihre Angaben', '{amount} spenden'].map((text) => first.includes(text)),
    [true, true],
  );
  assert.ok(!page.includes('second.png'), 'a screen without new texts is left out');
  assert.match(rest, /On no screen above[^]*Ort<\/td>/);
  assert.equal(page.split('Ihre Angaben</td>').length, 2);
});

test('lists texts by the keys of custom texts, without the formats of amounts', () => {
  assert.deepEqual([...listTranslations(TRANSLATION).keys()], ['donor', 'give', 'fields.city']);
});

test('escapes characters that HTML and regular expressions interpret', () => {
  const texts = listTranslations({ form: { donor: 'Ihre <Angaben> (alle)?' } });
  const page = renderReviewPage('de', texts, [describeScreen('one', 'Ihre <Angaben> (alle)?')]);
  assert.match(page, /one\.png[^]*Ihre &lt;Angaben> \(alle\)\?/);
});
