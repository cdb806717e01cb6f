import { findLanguage } from '@donation-form/core/i18n';
import { Problem } from '../lib/problem.ts';
import type { Goal } from './goal.ts';
import type { LocalizedDefinition, LocalizedForm, Organization } from './organization.ts';

export interface RegisteredForm {
  readonly organization: Organization;
  readonly form: LocalizedForm;
}

export class Organizations {
  #all: readonly Organization[] = [];
  #forms: readonly RegisteredForm[] = [];
  #origins: ReadonlySet<string> = new Set();

  constructor(organizations: readonly Organization[]) {
    this.replace(organizations);
  }

  /** Requests in progress finish with the previous configuration. */
  replace(organizations: readonly Organization[]): void {
    this.#all = organizations;
    this.#forms = organizations.flatMap((organization) =>
      organization.forms.map((form) => ({ organization, form })),
    );
    this.#origins = new Set(organizations.flatMap(({ origins }) => [...origins]));
  }

  get all(): readonly Organization[] {
    return this.#all;
  }

  get origins(): ReadonlySet<string> {
    return this.#origins;
  }

  find(id: string): Organization | undefined {
    return this.#all.find((organization) => organization.id === id);
  }

  /** Without an ID, finds the first form. */
  findForm(formId: string | undefined): RegisteredForm | undefined {
    return formId
      ? this.#forms.find(({ form }) => form.en.definition.id === formId)
      : this.#forms[0];
  }

  /** Without an ID, gets the first form. @throws {Problem} form-not-found. */
  getForm(formId: string | undefined): RegisteredForm {
    const registered = this.findForm(formId);
    if (!registered)
      throw new Problem(
        'form-not-found',
        "No form has this ID. Check the element's form-id attribute.",
      );
    return registered;
  }

  /** Without an ID, gets the first goal. @throws {Problem} not-found. */
  getGoal(id: string | undefined): { readonly organization: Organization; readonly goal: Goal } {
    const goals = this.#all.flatMap((organization) =>
      organization.goals.map((goal) => ({ organization, goal })),
    );
    const found = id ? goals.find(({ goal }) => goal.id === id) : goals[0];
    if (!found)
      throw new Problem(
        'not-found',
        id
          ? "No goal has this ID. Check the element's goal attribute " +
              'and "goals" in the server configuration.'
          : 'This server has no goals. Add "goals" to an organization in the server configuration.',
      );
    return found;
  }
}

/** Falls back to English if the language of the BCP 47 tag is not supported. */
export function getLocalizedDefinition(form: LocalizedForm, tag: string): LocalizedDefinition {
  return form[(tag === '' ? undefined : findLanguage(tag)) ?? 'en'];
}
