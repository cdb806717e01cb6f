/** `sessionStorage` key for the landing URL's query, used only with the visitor's consent. */
export const LANDING_STORAGE_KEY = 'donation-form-landing';

/** Matches parameters that identify a person, which the form removes from the URL (rule 43). */
const PERSONAL_PARAMETER =
  /^(amp;)*((first|last)-?name|[fl]name|email|phone|address[12]?|tribute-name)$/i;

export function isPersonalParameter(name: string): boolean {
  return PERSONAL_PARAMETER.test(name);
}
