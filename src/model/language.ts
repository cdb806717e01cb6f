/** The languages that the form speaks, BCP 47; the first is the default. */
export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];
