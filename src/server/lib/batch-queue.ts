/** Iterations of the event loop for which a growing batch waits. */
const MAX_TURNS = 8;

export interface BatchQueueOptions<Item, Result> {
  /** Returns one result for each item. Must have no effect if it fails with an item error. */
  readonly processBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxSize: number;
  /** Batches processed at the same time, by default 1. */
  readonly maxConcurrency?: number;
  /** If true, the queue processes the items one at a time. Otherwise, all items fail. */
  readonly isItemError: (error: unknown) => boolean;
}

interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Processes items in batches: those that arrive while one batch is processed form the next. */
export class BatchQueue<Item, Result> {
  readonly #options: BatchQueueOptions<Item, Result>;
  readonly #queue: QueuedItem<Item, Result>[] = [];
  #concurrency = 0;

  constructor(options: BatchQueueOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#concurrency < (this.#options.maxConcurrency ?? 1)) void this.#processQueue();
    });
  }

  /** Removes an item that no batch contains yet, whose promise then never settles. */
  remove(item: Item): void {
    const index = this.#queue.findIndex((queued) => queued.item === item);
    if (index !== -1) this.#queue.splice(index, 1);
  }

  async #processQueue(): Promise<void> {
    this.#concurrency += 1;
    while (this.#queue.length > 0) {
      await this.#waitWhileGrowing();
      await this.#processAndSettle(this.#queue.splice(0, this.#options.maxSize));
    }
    this.#concurrency -= 1;
  }

  /** Waits while each iteration of the event loop reads requests that can join the batch. */
  async #waitWhileGrowing(): Promise<void> {
    let size = 0;
    for (let turn = 0; turn < MAX_TURNS && this.#queue.length > size; turn += 1) {
      size = this.#queue.length;
      if (size >= this.#options.maxSize) return;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  async #processAndSettle(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const results = await this.#options.processBatch(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1 && this.#options.isItemError(error))
        for (const queued of batch) await this.#processAndSettle([queued]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
