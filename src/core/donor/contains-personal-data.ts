/**
 * Returns true if text from a link may contain an email address, even one that was percent-encoded
 * more than once. Any link parameter can contain one.
 */
export const containsPersonalData = (text = ''): boolean => /@|%(25)*40/.test(text);
