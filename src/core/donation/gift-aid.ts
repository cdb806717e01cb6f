/** `single` covers one donation; `all` also covers future donations and those of the past 4 years. */
export const GIFT_AID_SCOPES = ['single', 'all'] as const;
export type GiftAidScope = (typeof GIFT_AID_SCOPES)[number];

/** Maximum length in HMRC's schedule of donations. */
export const MAX_HOUSE_LENGTH = 40;
export const MAX_POSTCODE_LENGTH = 10;

/** Matches UK postcodes. The Channel Islands and the Isle of Man are not part of the UK. */
const UK_POSTCODE = /^(?!(?:GY|IM|JE)\d)(?:[A-Z]{1,2}\d[A-Z\d]?|GIR) \d[A-Z]{2}$/;

/** Writes a UK postcode in capitals with a space. Returns `undefined` for other text. */
export function parseUkPostcode(text: string): string | undefined {
  const compact = text.replace(/[\s.-]/g, '').toUpperCase();
  const postcode = `${compact.slice(0, -3)} ${compact.slice(-3)}`;
  return UK_POSTCODE.test(postcode) ? postcode : undefined;
}

/** Adds the basic rate of 20%, which is a quarter of the donation. Minor units. */
export function addGiftAid(total: number): number {
  return total + Math.floor(total / 4);
}
