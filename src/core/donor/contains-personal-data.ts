/**
 * Returns true if text from a link might contain an email address, even if the text was
 * percent-encoded more than once. Any link parameter can contain an email address.
 */
export const containsPersonalData = (text = ''): boolean => /@|%(25)*40/.test(text);
