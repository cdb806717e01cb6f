import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDRESS_FIELDS } from '../../src/core/donor/address.ts';
import {
  convertStateToFormat,
  findCountryCode,
  findStateCode,
  getAddressRows,
  isAddressFieldRequired,
  removeUnusedAddressFields,
  validateAddress,
} from '../../src/core/form-state/address.ts';
import type { AddressFormat } from '../../src/core/schemas/address-format.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
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
const parseCountry = (text: string): string | undefined =>
  findCountryCode(text, countries, (code) => names[code]!);

test('rule 44: reads a country as an alpha-2 code, alpha-3 code, or English name, in any case', () => {
  for (const text of ['DE', 'de', ' deu ', 'Germany', 'GERMANY'])
    assert.equal(parseCountry(text), 'DE', text);
  for (const text of ["cote d'ivoire", 'Côte d’Ivoire', 'civ'])
    assert.equal(parseCountry(text), 'CI', text);
  assert.equal(parseCountry('Bosnia and Herzegovina'), 'BA');
  for (const text of ['', 'D', 'Deutschland', 'Narnia', '__proto__', '-'])
    assert.equal(parseCountry(text), undefined, text);
});

test('reads a country code without looking up names', () => {
  assert.equal(
    findCountryCode('deu', countries, () => assert.fail('named')),
    'DE',
  );
});

test('rule 44: reads a state as a code or a name in its country', () => {
  for (const text of ['CA', 'ca', 'California', ' CALIFORNIA '])
    assert.equal(findStateCode(text, us), 'CA', text);
  for (const text of ['13', '東京都', 'tokyo', 'Tōkyō'])
    assert.equal(findStateCode(text, jp), '13', text);
  for (const text of ['', 'NSW', 'Ontario']) assert.equal(findStateCode(text, us), undefined, text);
  assert.equal(findStateCode('Bayern', de), undefined);
});

test('clears a state that the new country does not have', () => {
  assert.equal(convertStateToFormat('California', undefined, us), 'CA');
  assert.equal(convertStateToFormat('Surrey', undefined, us), '');
  assert.equal(convertStateToFormat('WA', us, au), '', 'Washington is not Western Australia');
  assert.equal(convertStateToFormat('WA', us, us), 'WA');
  // Germany has no state field, and the donor might switch back.
  assert.equal(convertStateToFormat('CA', us, de), 'CA');
  assert.equal(convertStateToFormat('CA', us, lt), '');
  assert.equal(convertStateToFormat('Kaunas', lt, us), '');
  assert.equal(convertStateToFormat('Kaunas', undefined, lt), 'Kaunas');
  assert.equal(convertStateToFormat('Texas', lt, us), 'TX');
  assert.equal(convertStateToFormat('CA', us, undefined), 'CA');
});

test("shows the requested address fields in the country's order, or in the default order if it is unknown", () => {
  assert.deepEqual(getAddressRows(all, de), [['address1'], ['address2'], ['postal', 'city']]);
  assert.deepEqual(
    getAddressRows(
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
    getAddressRows(all, undefined),
    ADDRESS_FIELDS.map((name) => [name]),
  );
});

test('requires only address fields that the country needs and the form asks for', () => {
  const listMissingFields = (
    format: AddressFormat | undefined,
    fields: FormDefinition['donorFields'] = all,
  ): string[] => validateAddress({}, format, fields).map(({ control }) => control);
  assert.deepEqual(listMissingFields(us), ['country', 'address1', 'city', 'state', 'postal']);
  assert.deepEqual(listMissingFields(de), ['country', 'address1', 'postal', 'city']);
  assert.deepEqual(listMissingFields(jp), ['country', 'postal', 'state', 'address1']);
  assert.deepEqual(listMissingFields(undefined), ['country', 'address1', 'city']);
  assert.deepEqual(
    listMissingFields(
      us,
      all.map(({ name }) => ({ name, required: false })),
    ),
    [],
  );
  assert.deepEqual(listMissingFields(us, [{ name: 'email', required: true }]), []);
  assert.equal(isAddressFieldRequired('state', all, us), true);
  assert.equal(isAddressFieldRequired('state', all, de), false);
});

test("checks a postal code against the country's format, in any case", () => {
  const getPostalCodeError = (
    postal: string,
    format: AddressFormat | undefined,
  ): string | undefined =>
    validateAddress({ postal }, format, [{ name: 'postal', required: false }])[0]?.code;
  for (const [postal, format] of [
    ['10115', de],
    [' 94105 ', us],
    ['94105-1234', us],
    ['ec1y 8se', gb],
    ['１５４−００２３', jp],
    ['anything', undefined],
    ['', de],
  ] as const)
    assert.equal(getPostalCodeError(postal, format), undefined, postal);
  for (const [postal, format] of [
    ['1011', de],
    ['94105-12', us],
    ['10115', gb],
    ['x10115', de],
    ['10115\n0', de],
  ] as const)
    assert.equal(getPostalCodeError(postal, format), 'not-a-postal', postal);
  assert.equal(
    getPostalCodeError('1', { ...de, lines: [['address1']] }),
    undefined,
    'a field that is not shown',
  );
});

test("accepts other spellings of a postal code, and sends the country's usual form", async () => {
  for (const [code, typed, expected] of [
    ['DE', '١٠١١٥', '10115'],
    ['DE', '۱۰۱۱۵', '10115'],
    ['DE', 'D-10115', '10115'],
    ['DE', '10\u200b115\u00ad', '10115'],
    ['DE', 'DD-10115-1', undefined],
    ['DE', 'DE 10115', '10115'],
    ['DE', 'F-75001', undefined],
    ['RE', 'F-97400', '97400'],
    ['SM', 'I-47890', '47890'],
    ['AT', 'A-1010', '1010'],
    ['LI', 'FL-9490', '9490'],
    ['AU', 'A-1010', undefined],
    ['DK', 'N-0150', undefined],
    ['IN', '११०००१', '110001'],
    ['IN', '110 001', '110001'],
    ['IR', '۱۱۹۳۶۱۲۳۴۵', '11936-12345'],
    ['PL', '00950', '00-950'],
    ['PT', '1000205', '1000-205'],
    ['JP', '〒100-0001', '100-0001'],
    ['JP', '〒１０００００１', '100-0001'],
    ['CA', 'K1A-0B1', 'K1A 0B1'],
    ['CA', 'k1a0b1', 'K1A 0B1'],
    ['GB', 'ec1y8se', 'EC1Y 8SE'],
    ['GB', 'M1 1AA', 'M1 1AA'],
    ['SE', '114 55', '114 55'],
    ['SE', 'SE-114 55', '11455'],
    ['US', '94105-1234', '94105-1234'],
    ['LV', 'lv1073', 'LV-1073'],
    ['US', '94105-', '94105'],
    ['US', '9410', undefined],
  ] as const) {
    const format = await readAddressFormat(code);
    const donor = { country: code, postal: typed };
    const errors = validateAddress(donor, format, [{ name: 'postal', required: true }]);
    assert.equal(errors.length === 0, expected !== undefined, `${code} ${typed}`);
    if (expected !== undefined)
      assert.equal(removeUnusedAddressFields(donor, format).postal, expected, code);
  }
});

test('omits address fields that the country does not use', () => {
  const typed = {
    firstName: 'Ana',
    country: 'DE',
    city: 'Berlin',
    state: 'CA',
    postal: ' ec1y 8se',
  };
  assert.deepEqual(removeUnusedAddressFields(typed, de), {
    firstName: 'Ana',
    country: 'DE',
    city: 'Berlin',
    postal: 'EC1Y 8SE',
  });
  assert.deepEqual(removeUnusedAddressFields(typed, undefined), typed);
});
