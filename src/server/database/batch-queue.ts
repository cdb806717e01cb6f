/** Number of iterations of the event loop for which a growing batch waits. */
const MAX_WAIT = 8;

interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchQueueOptions<Item, Result> {
  /** Returns one result for each item. Must have no effect if it fails. */
  readonly processBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Maximum number of items in a batch. */
  readonly maxSize: number;
  /** If true, processes the items of a failed batch one by one, so that one does not fail others. */
  readonly retriesItems: boolean;
}

/** Processes items in batches: those that arrive while one batch is processed form the next. */
export class BatchQueue<Item, Result> {
  readonly #options: BatchQueueOptions<Item, Result>;
  #queue: QueuedItem<Item, Result>[] = [];
  #isProcessing = false;

  constructor(options: BatchQueueOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (!this.#isProcessing) void this.#processQueue();
    });
  }

  async #processQueue(): Promise<void> {
    this.#isProcessing = true;
    while (this.#queue.length > 0) {
      await this.#waitWhileGrowing();
      const batch = this.#queue.slice(0, this.#options.maxSize);
      this.#queue = this.#queue.slice(this.#options.maxSize);
      await this.#processAndSettle(batch);
    }
    this.#isProcessing = false;
  }

  /** Waits as long as each iteration of the event loop reads requests that can join the batch. */
  async #waitWhileGrowing(): Promise<void> {
    let size = 0;
    for (let turn = 0; turn < MAX_WAIT && this.#queue.length > size; turn += 1) {
      size = this.#queue.length;
      if (size >= this.#options.maxSize) return;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  async #processAndSettle(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.processBatch(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1 && this.#options.retriesItems)
        for (const queued of batch) await this.#processAndSettle([queued]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
