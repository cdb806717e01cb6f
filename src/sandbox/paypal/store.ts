import { NotFoundError } from './api-error.ts';
import type { RecordsByKind, StoredRecord } from './records.ts';

/** Keeps the emulator's records in memory, in order of creation. */
export class Store {
  readonly #records = new Map<string, StoredRecord>();

  insert<NewRecord extends StoredRecord>(record: NewRecord): NewRecord {
    this.#records.set(record.id, record);
    return record;
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  find<Kind extends keyof RecordsByKind>(kind: Kind, id: string): RecordsByKind[Kind] | undefined {
    const record = this.#records.get(id);
    return record?.kind === kind ? (record as RecordsByKind[Kind]) : undefined;
  }

  /** @throws NotFoundError if the record does not exist. */
  get<Kind extends keyof RecordsByKind>(kind: Kind, id: string): RecordsByKind[Kind] {
    const record = this.find(kind, id);
    if (!record) throw new NotFoundError();
    return record;
  }

  list<Kind extends keyof RecordsByKind>(kind: Kind): RecordsByKind[Kind][] {
    return [...this.#records.values()].filter(
      (record): record is RecordsByKind[Kind] => record.kind === kind,
    );
  }
}
