import { NotFoundError } from './api-error.ts';
import type { RecordsByKind, StoredRecord } from './records.ts';

/** Stores the emulator's records in memory, in order of creation. */
export class Store {
  readonly #records = new Map<string, StoredRecord>();

  insertRecord<NewRecord extends StoredRecord>(record: NewRecord): NewRecord {
    this.#records.set(record.id, record);
    return record;
  }

  deleteRecord(id: string): void {
    this.#records.delete(id);
  }

  findRecord<Kind extends keyof RecordsByKind>(
    kind: Kind,
    id: string,
  ): RecordsByKind[Kind] | undefined {
    const record = this.#records.get(id);
    return record?.kind === kind ? (record as RecordsByKind[Kind]) : undefined;
  }

  /**
   * Returns a record.
   * @throws NotFoundError if the record does not exist.
   */
  getRecord<Kind extends keyof RecordsByKind>(kind: Kind, id: string): RecordsByKind[Kind] {
    const record = this.findRecord(kind, id);
    if (!record) throw new NotFoundError();
    return record;
  }

  listRecords<Kind extends keyof RecordsByKind>(kind: Kind): RecordsByKind[Kind][] {
    return [...this.#records.values()].filter(
      (record): record is RecordsByKind[Kind] => record.kind === kind,
    );
  }
}
