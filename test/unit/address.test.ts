import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressFormat } from '../../src/core/schemas/address-format.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import {
  addressLines,
  addressProblems,
  isNeeded,
  readCountry,
  readState,
  stateAfter,
  withinCountry,
} from '../../src/donation-form/state/address.ts';
import { ADDRESS_FIELDS } from '../../src/core/donor/address.ts';
import { readAddressFormat } from '../../src/server/http/routes/countries.ts';

const [us, de, au, jp, gb, lt] = (await Promise.all(
  ['US', 'DE', 'AU', 'JP', 'GB', 'LT'].map(readAddressFormat),
)) as [AddressFormat, AddressFormat, AddressFormat, AddressFormat, AddressFormat, AddressFormat];
const all: FormDefinition['donorFields'] = [...ADDRESS_FIELDS, 'country' as const].map((name) => ({
  name,
  required: name !== 'address2',
}));
const countries = [
  { code: 'DE', alpha3: 'DEU' },
  { code: 'CI', alpha3: 'CIV' },
  { code: 'BA', alpha3: 'BIH' },
];
const names: Record<string, string> = {
  DE: 'Germany',
  CI: 'Côte d’Ivoire',
  BA: 'Bosnia & Herzegovina',
};
const country = (text: string): string | undefined =>
  readCountry(text, countries, (code) => names[code]!);

test('rule 44: a country is read by alpha-2, alpha-3 or English name, in any case', () => {
  for (const text of ['DE', 'de', ' deu ', 'Germany', 'GERMANY'])
    assert.equal(country(text), 'DE', text);
  for (const text of ["cote d'ivoire", 'Côte d’Ivoire', 'civ'])
    assert.equal(country(text), 'CI', text);
  assert.equal(country('Bosnia and Herzegovina'), 'BA');
  for (const text of ['', 'D', 'Deutschland', 'Narnia', '__proto__', '-'])
    assert.equal(country(text), undefined, text);
});

test('a code is read without naming any country', () => {
  assert.equal(
    readCountry('deu', countries, () => assert.fail('named')),
    'DE',
  );
});

test('rule 44: a state is read by code or name within its country', () => {
  for (const text of ['CA', 'ca', 'California', ' CALIFORNIA '])
    assert.equal(readState(text, us), 'CA', text);
  for (const text of ['13', '東京都', 'tokyo', 'Tōkyō'])
    assert.equal(readState(text, jp), '13', text);
  for (const text of ['', 'NSW', 'Ontario']) assert.equal(readState(text, us), undefined, text);
  assert.equal(readState('Bayern', de), undefined);
});

test('a state stays with its country', () => {
  assert.equal(stateAfter('California', undefined, us), 'CA');
  assert.equal(stateAfter('Surrey', undefined, us), '');
  assert.equal(stateAfter('WA', us, au), '', 'Washington is not Western Australia');
  assert.equal(stateAfter('WA', us, us), 'WA');
  assert.equal(stateAfter('CA', us, de), 'CA', 'kept for a way back: Germany shows no state');
  assert.equal(stateAfter('CA', us, lt), '');
  assert.equal(stateAfter('Kaunas', lt, us), '');
  assert.equal(stateAfter('Kaunas', undefined, lt), 'Kaunas');
  assert.equal(stateAfter('Texas', lt, us), 'TX');
  assert.equal(stateAfter('CA', us, undefined), 'CA');
});

test('the form shows what it asks for in the order of the country, and in its own while that is unknown', () => {
  assert.deepEqual(addressLines(all, de), [['address1'], ['address2'], ['postal', 'city']]);
  assert.deepEqual(
    addressLines(
      [
        { name: 'email', required: true },
        { name: 'city', required: true },
        { name: 'address1', required: true },
      ],
      de,
    ),
    [['address1'], ['city']],
  );
  assert.deepEqual(
    addressLines(all, undefined),
    ADDRESS_FIELDS.map((name) => [name]),
  );
});

test('nothing is demanded that the country does not need, or the form does not ask for', () => {
  const missing = (
    format: AddressFormat | undefined,
    fields: FormDefinition['donorFields'] = all,
  ): string[] => addressProblems({}, format, fields).map(({ control }) => control);
  assert.deepEqual(missing(us), ['country', 'address1', 'city', 'state', 'postal']);
  assert.deepEqual(missing(de), ['country', 'address1', 'postal', 'city']);
  assert.deepEqual(missing(jp), ['country', 'postal', 'state', 'address1']);
  assert.deepEqual(missing(undefined), ['country', 'address1', 'city']);
  assert.deepEqual(
    missing(
      us,
      all.map(({ name }) => ({ name, required: false })),
    ),
    [],
  );
  assert.deepEqual(missing(us, [{ name: 'email', required: true }]), []);
  assert.equal(isNeeded('state', all, us), true);
  assert.equal(isNeeded('state', all, de), false);
});

test('a postal code has the shape of its country, in any case', () => {
  const code = (postal: string, format: AddressFormat | undefined): string | undefined =>
    addressProblems({ postal }, format, [{ name: 'postal', required: false }])[0]?.code;
  for (const [postal, format] of [
    ['10115', de],
    [' 94105 ', us],
    ['94105-1234', us],
    ['ec1y 8se', gb],
    ['１５４−００２３', jp],
    ['anything', undefined],
    ['', de],
  ] as const)
    assert.equal(code(postal, format), undefined, postal);
  for (const [postal, format] of [
    ['1011', de],
    ['94105-', us],
    ['10115', gb],
    ['x10115', de],
    ['10115\n0', de],
  ] as const)
    assert.equal(code(postal, format), 'not-a-postal', postal);
  assert.equal(code('1', { ...de, lines: [['address1']] }), undefined, 'a field that is not shown');
});

test('what was typed for another country is not sent', () => {
  const typed = {
    firstName: 'Ana',
    country: 'DE',
    city: 'Berlin',
    state: 'CA',
    postal: ' ec1y 8se',
  };
  assert.deepEqual(withinCountry(typed, de), {
    firstName: 'Ana',
    country: 'DE',
    city: 'Berlin',
    postal: 'EC1Y 8SE',
  });
  assert.deepEqual(withinCountry(typed, undefined), typed);
});
