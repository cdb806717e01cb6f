import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buildLink,
  type CampaignLink,
  checkLink,
  readLink,
} from '../../src/core/settings/campaign-link.ts';
import { exampleForm } from '../example-form.ts';

const PAGE = 'https://lanternwell.example/give';

test('reads back the settings of any link that it builds (10,000 cases)', () => {
  const tag = fc.constantFrom(
    '*|FNAME|*',
    '{{ contact.first }}',
    '%%FNAME%%',
    '[[name]]',
    '%FNAME%',
    '{$name}',
    '{a+b}',
  );
  const text = fc.oneof(
    tag,
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((value) => value.trim() !== ''),
  );
  const amount = fc
    .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 99 }))
    .map(([whole, cents]) =>
      cents ? `${whole}.${String(cents).padStart(2, '0')}` : String(whole),
    );
  const email = fc.emailAddress();
  const links: fc.Arbitrary<CampaignLink> = fc.record(
    {
      firstName: text,
      lastName: text,
      email,
      city: text,
      comment: text,
      segment: text,
      projectOverride: text,
      projectPreselect: text,
      amount,
      giftArray: fc.array(amount, { minLength: 1, maxLength: 12 }),
      frequency: fc.constantFrom('once', 'monthly', 'quarterly', 'annually'),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  fc.assert(
    fc.property(links, (link) => {
      assert.deepEqual(readLink(buildLink(`${PAGE}?lang=en#form`, link)), link);
    }),
    { numRuns: 10_000 },
  );
});

test('keeps merge tags and encodes other values', () => {
  assert.equal(
    buildLink(PAGE, {
      firstName: '*|FNAME|*',
      lastName: '{{last_name}}',
      email: '%%EMAIL%%',
      segment: 'A&B c',
    }),
    `${PAGE}?firstname=*|FNAME|*&lastname={{last_name}}&email=%%EMAIL%%&segmentcode=A%26B%20c`,
  );
});

test("keeps the page's other parameters and its fragment", () => {
  assert.equal(
    buildLink(`${PAGE}?utm_source=mail&AMT=25&src=A#top`, { amount: '75' }),
    `${PAGE}?utm_source=mail&src=A&amount=75#top`,
  );
  assert.equal(buildLink(PAGE, {}), PAGE);
  for (const none of ['lanternwell', 'mailto:a@example.org', 'data:text/html,x'])
    assert.throws(() => buildLink(none, {}), TypeError);
  assert.equal(buildLink(PAGE, { firstName: '%FNAME%' }), `${PAGE}?firstname=%FNAME%`);
  assert.equal(buildLink(PAGE, { segment: '{a%20b}' }), `${PAGE}?segmentcode=%7Ba%2520b%7D`);
  assert.equal(buildLink(PAGE, { segment: '{{a&b}}' }), `${PAGE}?segmentcode=%7B%7Ba%26b%7D%7D`);
});

test('reports applied, ignored, unknown, and personal parameters of a link', () => {
  const { settings, decidedBy, ignored, unknown, personal } = checkLink(
    exampleForm,
    `${PAGE}?amt=75&Frequency=monthly&fund-code=WATTER&FName=Ana&email=*|EMAIL|*&ammount=5&utm_medium=mail&wbraid=7&amp;src=A&currency=EUR`,
  );
  assert.deepEqual(
    [settings.amount, settings.frequency, settings.project.code],
    [7_500, 'monthly', 'GENERAL'],
  );
  assert.deepEqual(decidedBy, {
    amount: 'amt',
    frequency: 'Frequency',
    firstName: 'FName',
    utmMedium: 'utm_medium',
    segment: 'src',
  });
  assert.deepEqual(
    ignored.map(({ name, reason }) => [name, reason]),
    [['fund-code', 'not-offered']],
  );
  assert.deepEqual(unknown, [
    { name: 'ammount', suggestion: 'amount' },
    { name: 'currency', suggestion: 'currencycode' },
  ]);
  assert.deepEqual(personal, ['FName']);
});

test('reports other parameters that the form does not read, but not those of payment providers or the debug panel', () => {
  const link = `${PAGE}?audience=a&page_id=2&audience=b&donation=5&lang=de&ammount=5&amt=5&utm_id=1&field.a=1&payment_intent=pi_1&donation-form-debug`;
  const { otherParameters, ignored, unknown } = checkLink(exampleForm, link);
  assert.deepEqual(otherParameters, ['audience', 'page_id', 'donation']);
  assert.deepEqual(
    unknown.map(({ name }) => name),
    ['ammount'],
  );
  assert.deepEqual(
    ignored.map(({ name }) => name),
    ['field.a'],
  );
  const form = { ...exampleForm, urlAliases: { segment: ['audience'] } };
  assert.deepEqual(checkLink(form, link).otherParameters, ['page_id', 'donation']);
});

test('reports parameters that look like a language, unless the form reads them', () => {
  const link = `${PAGE}?Lang=de&language=de&amount=5`;
  const { languageParameters, ignored, unknown } = checkLink(exampleForm, link);
  assert.deepEqual([languageParameters, ignored, unknown], [['Lang', 'language'], [], []]);
  const form = { ...exampleForm, urlAliases: { segment: ['lang'] } };
  assert.deepEqual(checkLink(form, link).languageParameters, ['language']);
  const donationPage = 'https://give.example.org/donate?language=de&lang=de';
  assert.deepEqual(checkLink(exampleForm, donationPage).languageParameters, ['lang']);
});
