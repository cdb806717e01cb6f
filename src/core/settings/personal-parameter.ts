/**
 * `sessionStorage` key for the landing URL's query. The form uses this key only with the visitor's
 * consent.
 */
export const LANDING_STORAGE_KEY = 'donation-form-landing';

/**
 * Matches URL parameters that identify a person. The form removes these parameters from the page's
 * URL (rule 43).
 */
const PERSONAL_PARAMETER =
  /^(amp;)*((first|last)-?name|[fl]name|email|phone|address[12]?|tribute-name)$/i;

/** Returns true if a URL parameter identifies a person. */
export function isPersonalParameter(name: string): boolean {
  return PERSONAL_PARAMETER.test(name);
}
