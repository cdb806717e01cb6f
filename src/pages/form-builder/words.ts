import { GIFT_FREQUENCIES, type GiftFrequency } from '../../model/frequency.ts';
import { LANGUAGES, type Language } from '../../model/language.ts';
import { en } from '../../texts/en.ts';
import { ENGLISH_TEXTS } from '../../texts/names.ts';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** A language in English. */
export function nameOf(language: Language): string {
  return names.of(language) ?? language;
}

export const LANGUAGE_OPTIONS: readonly (readonly [Language, string])[] = LANGUAGES.map((language) => [language, nameOf(language)]);

/** How often a gift is given, as this page says it. */
export function frequencyWords(frequency: GiftFrequency): string {
  return en.frequencies[frequency];
}

export function isFrequency(value: unknown): value is GiftFrequency {
  return GIFT_FREQUENCIES.some((frequency) => frequency === value);
}

/** The texts of the form that organisations change most, by name. No name has a dot in it. */
export const OFFERED_TEXTS = {
  amount: 'Above the amounts', purpose: 'Above the projects', donor: 'Above the donor’s details', coverCosts: 'The line that adds the costs', give: 'The button',
  promise: 'Under the button', thanksTitle: 'Thank-you', thanksTitleName: 'Thank-you, by name', shareText: 'What donors tell others',
} as const;

/** The form's own words for a text, in English. */
export function ownWords(name: keyof typeof OFFERED_TEXTS): string {
  return ENGLISH_TEXTS.get(name) ?? '';
}
