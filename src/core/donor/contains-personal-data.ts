/**
 * Whether a text of a link may hold an e-mail address, also one that was encoded more than once:
 * links may name anybody in any parameter.
 */
export const namesSomebody = (text = ''): boolean => /@|%(25)*40/.test(text);
