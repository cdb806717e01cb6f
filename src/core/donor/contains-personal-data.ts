/**
 * Returns true if a link's text may contain an email address, even one that is percent-encoded
 * several times. Any link parameter can contain one.
 */
export const containsPersonalData = (text = ''): boolean => /@|%(25)*40/.test(text);
