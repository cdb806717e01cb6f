import type { PollingWorker } from './polling-worker.ts';

/** A worker for each organization that needs one, created when it is first needed. */
export abstract class OrganizationWorkers<Row, Organization extends { readonly id: string }> {
  readonly #hasBackgroundJobs: boolean;
  readonly #workers = new Map<string, PollingWorker<Row>>();
  #organizations: ReadonlyMap<string, Organization> = new Map();
  #isStopping = false;

  /** @param hasBackgroundJobs if false, no worker polls. */
  constructor({ hasBackgroundJobs }: { readonly hasBackgroundJobs: boolean }) {
    this.#hasBackgroundJobs = hasBackgroundJobs;
  }

  protected abstract needsWorker(organization: Organization): boolean;
  protected abstract createWorker(organization: string): PollingWorker<Row>;

  /** Replaces the organizations. Rows of others wait. */
  replaceOrganizations(organizations: readonly Organization[]): void {
    const served = organizations.filter((organization) => this.needsWorker(organization));
    this.#organizations = new Map(served.map((organization) => [organization.id, organization]));
    for (const [id, worker] of this.#workers) {
      if (this.#organizations.has(id)) continue;
      this.#workers.delete(id);
      void worker.stop();
    }
  }

  /** Returns `undefined` for an organization without a worker. */
  protected findOrganization(id: string): Organization | undefined {
    return this.#organizations.get(id);
  }

  wakeAllWorkers(): void {
    for (const id of this.#organizations.keys()) this.wakeWorker(id);
  }

  wakeWorker(organization: string): void {
    if (this.#hasBackgroundJobs && !this.#isStopping && this.#organizations.has(organization))
      void this.#getWorker(organization).wake();
  }

  /** Handles the rows that are due now, and starts none after `stop`. */
  protected async handleDueRows(stop: AbortSignal): Promise<void> {
    const ids = [...this.#organizations.keys()];
    await Promise.all(ids.map((id) => this.#getWorker(id).handleDueRows(stop)));
  }

  async stopWorkers(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  #getWorker(organization: string): PollingWorker<Row> {
    const worker = this.#workers.get(organization) ?? this.createWorker(organization);
    this.#workers.set(organization, worker);
    return worker;
  }
}
