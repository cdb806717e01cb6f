import { findLanguage } from '@donation-form/core/i18n';
import type { Logger } from '../lib/logger.ts';
import { DonationService, type DueJobCounts } from './donation-service.ts';
import type { Goal } from '../organizations/goal.ts';
import type { DonationRepository } from './donation-repository.ts';
import type {
  LocalizedDefinition,
  LocalizedForm,
  Organization,
} from '../organizations/organization.ts';
import { Problem } from '../lib/problem.ts';

/** A form with its organization and the service that accepts its donations. */
export interface RegisteredForm {
  readonly organization: Organization;
  readonly form: LocalizedForm;
  readonly donations: DonationService;
}

export interface FormRegistryOptions {
  readonly repository: DonationRepository;
  /** If false, only `donation-form jobs run` runs the background jobs. */
  readonly hasBackgroundJobs?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** The currently configured organizations and their forms. */
export class FormRegistry {
  readonly #options: FormRegistryOptions;
  readonly #donationServices = new Map<string, DonationService>();
  #organizations: readonly Organization[] = [];
  #forms: readonly RegisteredForm[] = [];
  #origins: ReadonlySet<string> = new Set();
  #isStarted = false;

  constructor(organizations: readonly Organization[], options: FormRegistryOptions) {
    this.#options = options;
    this.replaceOrganizations(organizations);
  }

  /** Replaces the configuration. Requests in progress finish with the previous configuration. */
  replaceOrganizations(organizations: readonly Organization[]): void {
    for (const organization of organizations) {
      const donations = this.#donationServices.get(organization.id);
      if (donations) donations.replaceOrganization(organization);
      else this.#createDonationService(organization);
    }
    this.#organizations = organizations;
    this.#forms = organizations.flatMap((organization) =>
      organization.forms.map((form) => ({
        organization,
        form,
        donations: this.#donationServices.get(organization.id)!,
      })),
    );
    this.#origins = new Set(organizations.flatMap(({ origins }) => [...origins]));
  }

  get organizations(): readonly Organization[] {
    return this.#organizations;
  }

  /** Origins of all pages that may embed a form. */
  get origins(): ReadonlySet<string> {
    return this.#origins;
  }

  /** Finds the form with the given ID. Without an ID, finds the first form. */
  findForm(formId: string | undefined): RegisteredForm | undefined {
    return formId
      ? this.#forms.find(({ form }) => form.en.definition.id === formId)
      : this.#forms[0];
  }

  /**
   * Gets the form with the given ID. Without an ID, gets the first form.
   * @throws {Problem} form-not-found.
   */
  getForm(formId: string | undefined): RegisteredForm {
    const registered = this.findForm(formId);
    if (!registered)
      throw new Problem(
        'form-not-found',
        "No form has this ID. Check the element's form-id attribute.",
      );
    return registered;
  }

  /**
   * Gets the goal with the given ID. Without an ID, gets the first goal.
   * @throws {Problem} not-found.
   */
  getGoal(id: string | undefined): { readonly organization: Organization; readonly goal: Goal } {
    const goals = this.#organizations.flatMap((organization) =>
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

  findOrganization(id: string): Organization | undefined {
    return this.#organizations.find((organization) => organization.id === id);
  }

  /**
   * Finds an organization's donation service, even if the organization has since been removed from
   * the configuration.
   */
  findDonationService(organizationId: string): DonationService | undefined {
    return this.#donationServices.get(organizationId);
  }

  /** Resumes unfinished work and starts the background workers. */
  startWorkers(): void {
    this.#isStarted = true;
    for (const donations of this.#donationServices.values()) donations.startWorkers();
  }

  /**
   * Runs the due jobs of every organization.
   * @param stop signal that, once aborted, stops further jobs from starting.
   */
  runDueJobs(stop: AbortSignal): Promise<DueJobCounts[]> {
    return Promise.all(
      [...this.#donationServices.values()].map((donations) => donations.runDueJobs(stop)),
    );
  }

  /** Stops all workers and waits for calls in progress. */
  async stopWorkers(): Promise<void> {
    await Promise.all(
      [...this.#donationServices.values()].map((donations) => donations.stopWorkers()),
    );
  }

  #createDonationService(organization: Organization): void {
    const donations = new DonationService({ ...this.#options, organization });
    this.#donationServices.set(organization.id, donations);
    if (this.#isStarted) donations.startWorkers();
  }
}

/**
 * Returns a form's definition in the language of the given BCP 47 tag, or in English if that
 * language is not supported.
 */
export function getLocalizedDefinition(form: LocalizedForm, tag: string): LocalizedDefinition {
  return form[(tag === '' ? undefined : findLanguage(tag)) ?? 'en'];
}
