import type { PollingWorker } from './polling-worker.ts';

/** A worker for each organization, created when it is first needed. */
export abstract class OrganizationWorkers<Row> {
  readonly #hasBackgroundJobs: boolean;
  readonly #workers = new Map<string, PollingWorker<Row>>();
  #ids: ReadonlySet<string> = new Set();
  #isStopping = false;

  /** @param hasBackgroundJobs if false, no worker polls. */
  constructor({ hasBackgroundJobs }: { readonly hasBackgroundJobs: boolean }) {
    this.#hasBackgroundJobs = hasBackgroundJobs;
  }

  protected abstract createWorker(organization: string): PollingWorker<Row>;

  /** Stops the workers of other organizations. */
  protected replaceWorkers(ids: Iterable<string>): void {
    this.#ids = new Set(ids);
    for (const [id, worker] of this.#workers) {
      if (this.#ids.has(id)) continue;
      this.#workers.delete(id);
      void worker.stop();
    }
  }

  wakeAllWorkers(): void {
    for (const id of this.#ids) this.wakeWorker(id);
  }

  wakeWorker(organization: string): void {
    if (this.#hasBackgroundJobs && !this.#isStopping && this.#ids.has(organization))
      void this.#getWorker(organization).wake();
  }

  /** Handles the rows that are due now, and starts none after `stop`. */
  protected async handleDueRows(stop: AbortSignal): Promise<void> {
    await Promise.all([...this.#ids].map((id) => this.#getWorker(id).handleDueRows(stop)));
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
