/** In milliseconds. */
const WINDOW = 60_000;
/** All other lines are written immediately. */
const MAX_GROUPS = 1_000;

/** Fields that may differ between repeats of a log line. */
const CHANGING_FIELDS = ['milliseconds', 'retryAt', 'providerRequest'];
/** These may also differ between repeats of a warning, but not of an error. */
const SUBJECT_FIELDS = ['reference', 'paymentId', 'event', 'webhook', 'kind'];

export type LineFields = Readonly<Record<string, unknown>>;

interface Group {
  count: number;
  /** Uses the level of the most recent repeat. */
  write: (fields: LineFields) => void;
  fields: LineFields;
}

/**
 * Writes the first of repeated warnings or errors, and the number of repeats after a minute or when
 * the process exits. Never combines lines about a request, because a donor may report any request
 * ID.
 */
export class RepeatFolder {
  readonly #groups = new Map<string, Group>();
  #isFlushedAtExit = false;

  writeOrCount(fields: LineFields, isError: boolean, write: (fields: LineFields) => void): void {
    if (fields.request !== undefined) {
      write(fields);
      return;
    }
    const key = createGroupKey(fields, isError);
    const group = this.#groups.get(key);
    if (group) {
      Object.assign(group, { count: group.count + 1, fields, write });
      this.#flushAtExit();
      return;
    }
    write(fields);
    if (this.#groups.size >= MAX_GROUPS) return;
    this.#groups.set(key, { count: 0, fields, write });
    this.#endWindowLater(key);
  }

  #endWindowLater(key: string): void {
    setTimeout(() => {
      const group = this.#groups.get(key)!;
      if (group.count === 0) {
        this.#groups.delete(key);
        return;
      }
      writeCount(group);
      this.#endWindowLater(key);
    }, WINDOW).unref();
  }

  #flushAtExit(): void {
    if (this.#isFlushedAtExit) return;
    this.#isFlushedAtExit = true;
    // Must run before the logger's exit listener, which writes the last lines.
    process.prependOnceListener('exit', () => this.#groups.forEach(writeCount));
  }
}

function writeCount(group: Group): void {
  if (group.count > 0) group.write({ ...group.fields, repeated: group.count });
  group.count = 0;
}

function createGroupKey(fields: LineFields, isError: boolean): string {
  const ignoredFields = isError ? CHANGING_FIELDS : [...CHANGING_FIELDS, ...SUBJECT_FIELDS];
  return JSON.stringify([
    isError,
    Object.entries(fields).filter(([name]) => !ignoredFields.includes(name)),
  ]);
}
