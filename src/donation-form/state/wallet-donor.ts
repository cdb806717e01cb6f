import { ADDRESS_FIELDS, cleanLine, type DonorField } from '@donation-form/core/donor';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { WalletDetail, WalletDonor } from '../payment-fields/wallet-buttons.ts';

type Donor = Readonly<Partial<Record<DonorField, string>>>;

/** A wallet fills in all of a detail's fields together, to avoid mixing values. */
const FIELDS: Readonly<Record<WalletDetail, readonly DonorField[]>> = {
  name: ['firstName', 'lastName'],
  email: ['email'],
  phone: ['phone'],
  address: [...ADDRESS_FIELDS, 'country'],
};

export function getWalletDetails({ donorFields }: FormDefinition): WalletDetail[] {
  return (Object.keys(FIELDS) as WalletDetail[]).filter((detail) =>
    donorFields.some(({ name, required }) => required && FIELDS[detail].includes(name)),
  );
}

export function isWalletControl(control: string, details: readonly WalletDetail[]): boolean {
  return details.some((detail) => FIELDS[detail].some((name) => name === control));
}

/** Excludes details that the donor has entered completely and correctly. */
export function getWalletValues(
  wallet: WalletDonor,
  { donorFields }: FormDefinition,
  details: readonly WalletDetail[],
  donor: Donor,
  invalidControls: readonly string[],
): Donor {
  const values = toDonor(wallet);
  return Object.fromEntries(
    details
      .map((detail) =>
        donorFields.map(({ name }) => name).filter((name) => FIELDS[detail].includes(name)),
      )
      .filter(
        (names) =>
          names.some((name) => values[name]) &&
          (names.some((name) => invalidControls.includes(name)) ||
            !names.some((name) => cleanLine(donor[name] ?? ''))),
      )
      .flatMap((names) => names.map((name) => [name, values[name] ?? ''])),
  );
}

function toDonor({ name = '', email, phone, address = {} }: WalletDonor): Donor {
  const { line1, line2, city, state, postal, country } = address;
  const values = { email, phone, address1: line1, address2: line2, city, state, postal, country };
  return {
    ...splitName(cleanLine(name)),
    ...Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, cleanLine(value ?? '')]),
    ),
  };
}

/** Splits a name before its last word. A single word is the first name. */
function splitName(name: string): Donor {
  const index = name.lastIndexOf(' ');
  return index < 0
    ? { firstName: name }
    : { firstName: name.slice(0, index), lastName: name.slice(index + 1) };
}
