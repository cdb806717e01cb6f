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
   * Creates the services of new organizations, and updates those of the others. Keeps the services
   * of organizations that were removed from the configuration, because their work must finish.
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

  /**
   * Finds an organization's donation service, even if the organization has since been removed from
   * the configuration.
   */
  find(organizationId: string): DonationService | undefined {
    return this.#services.get(organizationId);
  }
}
