import { languageOf } from '@donation-form/core/i18n';
import type { Logger } from '../lib/logger.ts';
import { DonationService } from './donation-service.ts';
import type { Goal } from '../organizations/goal.ts';
import type { DonationRepository } from './donation-repository.ts';
import type {
  LocalizedDefinition,
  LocalizedForm,
  Organization,
} from '../organizations/organization.ts';
import { Problem } from '../lib/problem.ts';

/** Where gifts by one form are taken. */
export interface RegisteredForm {
  readonly organization: Organization;
  readonly form: LocalizedForm;
  readonly donations: DonationService;
}

export interface FormRegistryOptions {
  readonly repository: DonationRepository;
  /** No process stays alive: what need not be done before an answer is left to a drain. */
  readonly isDrained?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** The organisations of this server, as they are configured now, and their forms. */
export class FormRegistry {
  readonly #options: FormRegistryOptions;
  readonly #donations = new Map<string, DonationService>();
  #organizations: readonly Organization[] = [];
  #forms: readonly RegisteredForm[] = [];
  #origins: ReadonlySet<string> = new Set();
  #isStarted = false;

  constructor(organizations: readonly Organization[], options: FormRegistryOptions) {
    this.#options = options;
    this.reconfigure(organizations);
  }

  /**
   * Takes the organisations as they are configured from now on. What is under way ends as it began.
   */
  reconfigure(organizations: readonly Organization[]): void {
    for (const findOrganization of organizations) {
      const donations = this.#donations.get(findOrganization.id);
      if (donations) donations.reconfigure(findOrganization);
      else this.#open(findOrganization);
    }
    this.#organizations = organizations;
    this.#forms = organizations.flatMap((organization) =>
      organization.forms.map((form) => ({
        organization,
        form,
        donations: this.#donations.get(organization.id)!,
      })),
    );
    this.#origins = new Set(organizations.flatMap(({ origins }) => [...origins]));
  }

  get organizations(): readonly Organization[] {
    return this.#organizations;
  }

  /** All pages that may show some form. */
  get origins(): ReadonlySet<string> {
    return this.#origins;
  }

  /** The desk of a form; without an id, the first one. */
  find(formId: string | undefined): RegisteredForm | undefined {
    return formId
      ? this.#forms.find(({ form }) => form.en.definition.id === formId)
      : this.#forms[0];
  }

  /** @throws {Problem} form-not-found. */
  get(formId: string | undefined): RegisteredForm {
    const desk = this.find(formId);
    if (!desk)
      throw new Problem(
        'form-not-found',
        'No form has this id. Check the attribute form-id of the element.',
      );
    return desk;
  }

  /** A goal by its id; without one, the first. @throws {Problem} not-found. */
  getGoal(id: string | undefined): { readonly organization: Organization; readonly goal: Goal } {
    const goals = this.#organizations.flatMap((organization) =>
      organization.goals.map((goal) => ({ organization, goal })),
    );
    const found = id ? goals.find(({ goal }) => goal.id === id) : goals[0];
    if (!found)
      throw new Problem(
        'not-found',
        id
          ? 'No goal has this id. Check the attribute goal of the element, and "goals" in the endpoint\'s configuration.'
          : 'This endpoint has no goal. Add "goals" to an organisation in its configuration.',
      );
    return found;
  }

  organization(id: string): Organization | undefined {
    return this.#organizations.find((organization) => organization.id === id);
  }

  /**
   * The gifts of an organisation that this server serves, or served before its configuration
   * changed.
   */
  serviceOf(organizationId: string): DonationService | undefined {
    return this.#donations.get(organizationId);
  }

  /** Goes on with what an earlier run left unfinished. */
  start(): void {
    this.#isStarted = true;
    for (const donations of this.#donations.values()) donations.start();
  }

  /**
   * Works off what is due, each organisation's by itself, and does not come back.
   * @param until nothing is begun once it is aborted.
   */
  runDue(until: AbortSignal): Promise<{ readonly lookedUp: number; readonly told: number }[]> {
    return Promise.all([...this.#donations.values()].map((donations) => donations.runDue(until)));
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#donations.values()].map((donations) => donations.stop()));
  }

  #open(organization: Organization): void {
    const donations = new DonationService({ ...this.#options, organization });
    this.#donations.set(organization.id, donations);
    if (this.#isStarted) donations.start();
  }
}

/** A form in the language of a tag, or in English. */
export function inLanguage(form: LocalizedForm, tag: string): LocalizedDefinition {
  return form[languageOf(tag) ?? 'en'];
}
