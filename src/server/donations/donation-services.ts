import type { Organization } from '../organizations/organization.ts';
import { DonationService, type DonationServiceOptions } from './donation-service.ts';

/** The donation service of each organization. */
export class DonationServices {
  readonly #options: Omit<DonationServiceOptions, 'organization'>;
  readonly #services = new Map<string, DonationService>();

  constructor(options: Omit<DonationServiceOptions, 'organization'>) {
    this.#options = options;
  }

  /**
   * Creates or updates the services. Keeps those of removed organizations, whose work must finish.
   */
  replaceOrganizations(organizations: readonly Organization[]): void {
    for (const organization of organizations) {
      const service = this.#services.get(organization.id);
      if (service) service.replaceOrganization(organization);
      else
        this.#services.set(
          organization.id,
          new DonationService({ ...this.#options, organization }),
        );
    }
  }

  get all(): readonly DonationService[] {
    return [...this.#services.values()];
  }

  /** Finds the service of an organization, even one removed from the configuration. */
  find(organizationId: string): DonationService | undefined {
    return this.#services.get(organizationId);
  }
}
