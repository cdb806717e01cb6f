import { DONATION_FREQUENCIES, type DonationFrequency } from '@donation-form/core/donation';
import { enForm, ENGLISH_TEXTS, type Language, LANGUAGES } from '@donation-form/core/i18n';
import type { ConfigPath } from './config-path.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

export function getLanguageName(language: Language): string {
  return languageNames.of(language) ?? language;
}

export const LANGUAGE_OPTIONS: readonly (readonly [Language, string])[] = LANGUAGES.map(
  (language) => [language, getLanguageName(language)],
);

export function isFrequency(value: unknown): value is DonationFrequency {
  return DONATION_FREQUENCIES.some((frequency) => frequency === value);
}

/** Labels of the texts that organizations customize most often. The text keys contain no dots. */
export const EDITABLE_TEXTS = {
  amount: 'Heading above the amounts',
  purpose: 'Heading above the projects',
  donor: 'Heading above the donor details',
  coverFees: 'Option to cover the fees',
  give: 'Donate button',
  recipientNote: 'Text below the button',
  thanksTitle: 'Thank-you heading',
  thanksTitleWithName: 'Thank-you heading with a name',
  thanksForImpact: 'Thank-you sentence with the impact',
  thanksMessage: 'Thank-you sentence without an impact',
  shareMessage: 'Message that donors share',
} as const;

export function getDefaultText(name: keyof typeof EDITABLE_TEXTS): string {
  return ENGLISH_TEXTS.get(name) ?? '';
}

const ENTRY_LABELS: Readonly<Record<string, string>> = {
  currencies: 'currency',
  giftArray: 'amount',
  projects: 'project',
};

/** Describes the location of a field, such as `project 2` or `currency 1, amount 3`. */
export function describePath(path: ConfigPath): string {
  const [, form, ...entries] = [...path.matchAll(/\b(\w+)\.(\d+)/g)];
  if (entries.length === 0) return form ? 'form' : 'organization';
  return entries
    .map(([, list = '', index]) => {
      const number = Number(index) + 1;
      return isFrequency(list)
        ? `amount ${number}, ${enForm.frequencies[list].toLowerCase()}`
        : `${ENTRY_LABELS[list]} ${number}`;
    })
    .join(', ');
}
