/**
 * Returns true if the text of a link may contain an email address, even one that is percent-encoded
 * several times. Any link parameter can contain one.
 */
export const containsPersonalData = (text = ''): boolean => /@|%(25)*40/.test(text);
