import { GIFT_AID_SCOPES, type GiftAidScope, parseUkPostcode } from '../donation/index.ts';
import { cleanLine } from '../donor/index.ts';
import type { DonationRequest } from '../schemas/index.ts';
import { type FormContext, type FormState, isOrganizationGift } from './form-state.ts';
import { getFirstControlValue, isControlChecked } from './form-values.ts';

/** Returns true if the donor is a person who gives in GBP, and the form offers Gift Aid. */
export function isGiftAidOffered(state: FormState, { definition, settings }: FormContext): boolean {
  return (
    definition.giftAid !== undefined &&
    settings.currency.code === 'GBP' &&
    !isOrganizationGift(state, definition)
  );
}

/** Returns `undefined` without a declaration. A recurring donation needs one for all payments. */
export function getGiftAidScope(state: FormState, context: FormContext): GiftAidScope | undefined {
  const { optionalFields, frequency } = state;
  if (!isGiftAidOffered(state, context) || !isControlChecked(optionalFields, 'giftAid.declared'))
    return undefined;
  if (frequency !== 'once') return 'all';
  const chosen = getFirstControlValue(optionalFields, 'giftAid.scope');
  return GIFT_AID_SCOPES.find((scope) => scope === chosen) ?? 'single';
}

/** The controls must have valid values. */
export function toGiftAid(
  state: FormState,
  context: FormContext,
): DonationRequest['giftAid'] | undefined {
  const scope = getGiftAidScope(state, context);
  if (!scope) return undefined;
  return { scope, text: context.definition.giftAid![scope], ...parseHome(state) };
}

export function findGiftAidErrors(
  state: FormState,
  context: FormContext,
): { readonly control: string; readonly code: 'missing' }[] {
  if (!getGiftAidScope(state, context)) return [];
  return Object.entries(parseHome(state))
    .filter(([, value]) => value === '')
    .map(([name]) => ({ control: `giftAid.${name}`, code: 'missing' }));
}

function parseHome({ optionalFields }: FormState) {
  const getLine = (control: string): string =>
    cleanLine(getFirstControlValue(optionalFields, control));
  return {
    house: getLine('giftAid.house'),
    postcode: parseUkPostcode(getLine('giftAid.postcode')) ?? '',
  };
}
