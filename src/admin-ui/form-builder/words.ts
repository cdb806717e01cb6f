import { GIFT_FREQUENCIES, type GiftFrequency } from '@donation-form/core/donation';
import { LANGUAGES, type Language, en, ENGLISH_TEXTS } from '@donation-form/core/i18n';
import type { Place } from './file.ts';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** A language in English. */
export function nameOf(language: Language): string {
  return names.of(language) ?? language;
}

/** Which way a language is written. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
}

export const LANGUAGE_OPTIONS: readonly (readonly [Language, string])[] = LANGUAGES.map(
  (language) => [language, nameOf(language)],
);

/** How often a gift is given, as this page says it. */
export function frequencyWords(frequency: GiftFrequency): string {
  return en.frequencies[frequency];
}

export function isFrequency(value: unknown): value is GiftFrequency {
  return GIFT_FREQUENCIES.some((frequency) => frequency === value);
}

/** The texts of the form that organisations change most, by name. No name has a dot in it. */
export const OFFERED_TEXTS = {
  amount: 'Above the amounts',
  purpose: 'Above the projects',
  donor: 'Above the donor’s details',
  coverCosts: 'The line that adds the costs',
  give: 'The button',
  promise: 'Under the button',
  thanksTitle: 'Thank-you',
  thanksTitleName: 'Thank-you, by name',
  shareText: 'What donors tell others',
} as const;

/** The form's own words for a text, in English. */
export function ownWords(name: keyof typeof OFFERED_TEXTS): string {
  return ENGLISH_TEXTS.get(name) ?? '';
}

const ENTRIES: Readonly<Record<string, string>> = {
  currencies: 'currency',
  giftArray: 'gift',
  projects: 'project',
};

/**
 * What a place is of, to tell apart fields of one name: `organisation`, `project 2`, `currency 1,
 * gift 3`.
 */
export function partOf(place: Place): string {
  const [, form, ...inside] = [...place.matchAll(/(\w+)\.(\d+)/g)];
  if (inside.length === 0) return form ? 'form' : 'organisation';
  return inside
    .map(([, list = '', index]) => {
      const number = Number(index) + 1;
      return isFrequency(list)
        ? `gift ${number}, ${frequencyWords(list).toLowerCase()}`
        : `${ENTRIES[list]} ${number}`;
    })
    .join(', ');
}
