import { type Language, LANGUAGES } from '@donation-form/core/i18n';
import { tryStorage } from '@donation-form/donation-form/internal';
import type { Appearance } from './appearance.ts';
import {
  type ConfigPath,
  getListAtPath,
  getTextAtPath,
  type Json,
  readConfigValue,
} from './config-path.ts';
import { STARTER_CONFIGURATION } from './starter-configuration.ts';
import { getDisplayedText } from './translations.ts';

export interface Draft {
  readonly configuration: Json;
  /** Indexes of the edited organization and form. */
  readonly organization: number;
  readonly form: number;
  readonly appearance: Appearance;
  /** Public URL of the donation server. */
  readonly endpoint: string;
  readonly language: Language;
}

export const NEW_DRAFT: Draft = {
  configuration: STARTER_CONFIGURATION,
  organization: 0,
  form: 0,
  appearance: { values: {} },
  endpoint: '',
  language: LANGUAGES[0],
};

export const getOrganizationPath = ({ organization }: Pick<Draft, 'organization'>): ConfigPath =>
  `organizations.${organization}`;
export const getFormPath = (draft: Pick<Draft, 'organization' | 'form'>): ConfigPath =>
  `${getOrganizationPath(draft)}.forms.${draft.form}`;

export interface FormEntry {
  readonly organization: number;
  readonly form: number;
  readonly name: string;
}

export function listForms(configuration: Json): FormEntry[] {
  return getListAtPath(configuration, 'organizations').flatMap((_organization, organization) => {
    const organizationPath = getOrganizationPath({ organization });
    const organizationName = getTextAtPath(configuration, `${organizationPath}.name`) || 'Unnamed';
    return getListAtPath(configuration, `${organizationPath}.forms`).map((_form, form) => {
      const path = getFormPath({ organization, form });
      const name =
        getDisplayedText(readConfigValue(configuration, `${path}.name`), 'en') ||
        getTextAtPath(configuration, `${path}.id`) ||
        'no ID';
      return { organization, form, name: `${organizationName} · ${name}` };
    });
  });
}

/** Returns the name of the form at a path, or `undefined` if the user is editing that form. */
export function findOtherFormAtPath(
  { configuration, organization, form }: Draft,
  path: ConfigPath,
): string | undefined {
  const forms = listForms(configuration);
  const owner =
    forms.find((entry) => path.startsWith(`${getFormPath(entry)}.`)) ??
    forms.find(
      (entry) =>
        entry.organization !== organization && path.startsWith(`${getOrganizationPath(entry)}.`),
    );
  if (!owner) return undefined;
  const isEdited = owner.organization === organization && owner.form === form;
  return isEdited ? undefined : owner.name;
}

/** @throws {Error} with a message for the user if the file is invalid. */
export function parseDraft(text: string): Json {
  let configuration: Json;
  try {
    configuration = JSON.parse(text) as Json;
  } catch (cause) {
    throw new Error(
      `This file is not valid JSON: ${(cause as Error).message}. ` +
        'Open a donation-form.config.json file.',
      { cause },
    );
  }
  if (listForms(configuration).length === 0)
    throw new Error(
      'This file contains no organization with a form. ' +
        'Open a complete donation-form.config.json file.',
    );
  return configuration;
}

const STORAGE_KEY = 'form-builder';

/** Saves the draft in this tab. The draft survives a page reload and a new sign-in. */
export function saveDraft(draft: Draft): void {
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft)));
}

/** Loads this tab's draft, if there is one that this release can read. */
export function loadDraft(): Draft | undefined {
  return tryStorage(() => {
    const text = sessionStorage.getItem(STORAGE_KEY);
    if (text === null) return undefined;
    const saved = JSON.parse(text) as Draft;
    const hasForm = listForms(saved.configuration).some(
      ({ organization, form }) => organization === saved.organization && form === saved.form,
    );
    return hasForm ? { ...NEW_DRAFT, ...saved } : undefined;
  });
}
