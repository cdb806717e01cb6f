/** Duration for which repeats of a line are counted instead of written, in milliseconds. */
const WINDOW = 60_000;
/** Maximum number of different lines whose repeats are counted. Others are written at once. */
const MAX_GROUPS = 1_000;

/** Fields that differ from one repeat to the next. */
const CHANGING_FIELDS = ['milliseconds', 'retryAt', 'providerRequest'];
/** Fields that are ignored when warnings, but not errors, are compared. */
const SUBJECT_FIELDS = ['reference', 'paymentId', 'event', 'webhook', 'kind'];

/** The fields of a log line, including `msg`. */
export type LineFields = Readonly<Record<string, unknown>>;

interface Group {
  count: number;
  /** Writes a line with the level of the last repeat. */
  write: (fields: LineFields) => void;
  fields: LineFields;
}

/**
 * Folds repeated warnings and errors. The first line is written at once. Lines with the same message
 * and cause in the next minute become one line with a count, at the end of that minute or when the
 * process exits. Lines about a request are never folded, because donors quote the request ID.
 */
export class RepeatFolder {
  readonly #groups = new Map<string, Group>();
  #isFlushedAtExit = false;

  /** Writes a line now, or counts it as a repeat. */
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
    // Must run before pino's own exit listener, which flushes its buffer.
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
