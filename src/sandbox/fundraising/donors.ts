import type { Donor, NewRecord } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import { type JsonObject, parseString } from '../lib/request-parsing.ts';

/** Finds a donor by email, or inserts a new donor. */
export function findOrInsertDonor(store: SandboxStore, fields: JsonObject, date: string): Donor {
  return (
    store.findDonorByEmail(parseString(fields, 'email')) ??
    store.insertDonor(parseDonor(fields, date))
  );
}

function parseDonor(fields: JsonObject, date: string): NewRecord<Donor> {
  const [
    firstName = '',
    lastName = '',
    organization = '',
    email = '',
    phone = '',
    address1 = '',
    city = '',
    state = '',
    postal = '',
    country = '',
  ] = [
    'firstName',
    'lastName',
    'organization',
    'email',
    'phone',
    'address1',
    'city',
    'state',
    'postal',
    'country',
  ].map((name) => parseString(fields, name));
  return {
    firstName,
    lastName,
    organization,
    email,
    phone,
    crmKey: '',
    code: '',
    isActive: true,
    created: date,
    modified: date,
    ...([address1, city, state, postal, country].some(Boolean) && {
      address: { address1, city, state, postal, country },
    }),
  };
}
