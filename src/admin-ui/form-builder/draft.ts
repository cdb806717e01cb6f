import { LANGUAGES, type Language } from '@donation-form/core/i18n';
import { EMPTY } from './empty.ts';
import { listAt, textAt, type Json, type Place } from './file.ts';
import type { Look } from './look.ts';

/** All that somebody has made on this page. */
export interface Draft {
  readonly file: Json;
  /**
   * Which organisation of the file, and which of its forms, are worked on: their places in the
   * lists.
   */
  readonly organization: number;
  readonly form: number;
  readonly look: Look;
  /** Where browsers reach the donation endpoint. */
  readonly endpoint: string;
  /** The language that words are written in, and that the preview speaks. */
  readonly language: Language;
}

export const EMPTY_DRAFT: Draft = {
  file: EMPTY,
  organization: 0,
  form: 0,
  look: { values: {} },
  endpoint: '',
  language: LANGUAGES[0],
};

export const organizationOf = ({ organization }: Pick<Draft, 'organization'>): Place =>
  `organizations.${organization}`;
export const formOf = (draft: Pick<Draft, 'organization' | 'form'>): Place =>
  `${organizationOf(draft)}.forms.${draft.form}`;

/** A form of a file. */
export interface NamedForm {
  readonly organization: number;
  readonly form: number;
  readonly name: string;
}

/** Every form of a file. */
export function formsIn(file: Json): NamedForm[] {
  return listAt(file, 'organizations').flatMap((_one, organization) =>
    listAt(file, `organizations.${organization}.forms`).map((_form, form) => ({
      organization,
      form,
      name: `${textAt(file, `organizations.${organization}.name`) || 'Without a name'} · ${textAt(file, `organizations.${organization}.forms.${form}.id`) || 'without an id'}`,
    })),
  );
}

/**
 * The name of another form that has to be chosen to come to a place; `undefined` where it is none
 * of another form.
 */
export function otherFormAt({ file, organization, form }: Draft, place: Place): string | undefined {
  const forms = formsIn(file);
  const one =
    forms.find((inside) => place.startsWith(`${formOf(inside)}.`)) ??
    forms.find(
      (inside) =>
        inside.organization !== organization && place.startsWith(`${organizationOf(inside)}.`),
    );
  return one && (one.organization !== organization || one.form !== form) ? one.name : undefined;
}

/** Reads a file that somebody opened. @throws where it is no configuration, with what to do. */
export function readFile(text: string): Json {
  let file: Json;
  try {
    file = JSON.parse(text) as Json;
  } catch (cause) {
    throw new Error(
      `This file is no JSON: ${(cause as Error).message}. Open a donation-form.config.json.`,
      { cause },
    );
  }
  if (formsIn(file).length === 0)
    throw new Error(
      'This file has no organisation with a form. Open a whole donation-form.config.json.',
    );
  return file;
}

const NAME = 'form-builder';

/** Keeps a draft in this tab, over a reload and a log-in. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing, or this is too much: the page works all the same.
  }
}

/**
 * The draft that this tab keeps; `undefined` where there is none, or one of another release of this
 * page.
 */
export function keptDraft(): Draft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Draft | null;
    return kept &&
      formsIn(kept.file).some(
        ({ organization, form }) => organization === kept.organization && form === kept.form,
      )
      ? { ...EMPTY_DRAFT, ...kept }
      : undefined;
  } catch {
    return undefined;
  }
}
