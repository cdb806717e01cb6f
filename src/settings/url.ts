import { isBlank, type Candidate, type SettingName } from './candidate.ts';

/** Fundraising Platform API, 'Embedded form settings', URL parameters: for each purpose its names, the strongest first. */
export const URL_NAMES: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  firstName: ['firstname', 'first-name', 'fname'],
  lastName: ['lastname', 'last-name', 'lname'],
  email: ['email'],
  phone: ['phone'],
  address1: ['address1', 'address'],
  address2: ['address2'],
  city: ['city'],
  state: ['state'],
  postal: ['postal'],
  country: ['country'],
  amount: ['amount', 'amountpreselect', 'amountoverride', 'amt'],
  frequency: ['frequency'],
  comment: ['comment', 'comments'],
  currency: ['currencycode'],
  segment: ['segmentcode', 'segmentcodeoverride', 'src', 'referencecode'],
  projectOverride: ['projectcode', 'projectcodeoverride', 'projectoverride', 'fund-code'],
  projectPreselect: ['projectcodepreselect', 'projectpreselect'],
  giftArray: ['array-amounts'],
};

/**
 * Reads the parameters of an address, in any case.
 * @param search such as `?amt=75`. @param isAbsent which values say nothing.
 * @returns the strongest of each setting first.
 */
export function readUrl(search: string, isAbsent = isBlank): Candidate[] {
  const given = [...new URLSearchParams(search)].filter(([, value]) => !isAbsent(value));
  return Object.entries(URL_NAMES).flatMap(([setting, names]) => names.flatMap((known) => given
    .filter(([name]) => name.toLowerCase() === known)
    .map(([name, value]): Candidate => ({ setting: setting as SettingName, layer: 'url', name, value: known === 'email' ? value.trim().replaceAll(' ', '+') : value }))));
}
