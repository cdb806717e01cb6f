import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { WalletDonor } from '../../src/donation-form/payment-fields/wallet-buttons.ts';
import {
  getWalletDetails,
  getWalletValues,
  isWalletControl,
} from '../../src/donation-form/state/wallet-donor.ts';
import { exampleForm } from '../example-form.ts';

const addressForm: FormDefinition = {
  ...exampleForm,
  donorFields: [
    { name: 'firstName', required: true },
    { name: 'email', required: false },
    { name: 'country', required: true },
    { name: 'city', required: true },
    { name: 'state', required: false },
  ],
};
const wallet: WalletDonor = {
  name: 'Bram  Visser',
  email: 'bram@example.org',
  address: { line1: '1 Main St', city: 'Albany', state: 'NY', postal: '12207', country: 'US' },
};

test('requests only the details that the form requires', () => {
  assert.deepEqual(getWalletDetails(exampleForm), ['name', 'email']);
  assert.deepEqual(getWalletDetails(addressForm), ['name', 'address']);
  assert.equal(isWalletControl('state', ['address']), true);
  assert.equal(isWalletControl('state', ['name']), false);
  assert.equal(isWalletControl('consent.terms', ['name', 'address']), false);
});

for (const [name, firstName, lastName] of [
  ['Bram Visser', 'Bram', 'Visser'],
  [' Ana María  de la Cruz ', 'Ana María de la', 'Cruz'],
  ['Madonna', 'Madonna', ''],
] as const)
  test(`splits the name "${name}" before its last word`, () => {
    assert.deepEqual(getWalletValues({ name }, exampleForm, ['name'], {}, []), {
      firstName,
      lastName,
    });
  });

test('fills in only fields of the form, and replaces an address as a whole', () => {
  const details = getWalletDetails(addressForm);
  assert.deepEqual(
    getWalletValues(wallet, addressForm, details, { country: 'DE', state: 'BE' }, ['city']),
    { firstName: 'Bram', country: 'US', city: 'Albany', state: 'NY' },
  );
});

test('keeps a detail that is complete and correct', () => {
  const details = getWalletDetails(addressForm);
  const donor = { firstName: 'Ana', country: 'DE', city: 'Berlin' };
  assert.deepEqual(getWalletValues(wallet, addressForm, details, donor, []), {});
  assert.deepEqual(getWalletValues(wallet, addressForm, details, donor, ['firstName']), {
    firstName: 'Bram',
  });
});

test('keeps what the donor entered if the wallet lacks the detail', () => {
  assert.deepEqual(
    getWalletValues({}, exampleForm, ['name', 'email'], { email: 'ana@' }, ['email']),
    {},
  );
});
