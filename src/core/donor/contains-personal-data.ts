/** Returns true if text from a link may contain an email, even if it is encoded several times. */
export const containsPersonalData = (text = ''): boolean => /@|%(25)*40/.test(text);
