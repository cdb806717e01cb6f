import type { SQLInputValue } from 'node:sqlite';
import type { Database } from './database.ts';
import type { Activity, Campaign, Donor, Gift, NewRecord, Webhook } from './records.ts';
import { campaigns } from './seed.ts';

/** Stores the organization's campaigns, donors, gifts, activities, and webhooks. */
export class SandboxStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  listCampaigns(): readonly Campaign[] {
    return campaigns;
  }

  /** Newest first. */
  listActivities(): Activity[] {
    return this.#database.queryAll(
      'SELECT id, origin, displayText, date FROM activities ORDER BY date DESC, id DESC',
    );
  }

  insertActivity({ origin, displayText, date }: NewRecord<Activity>): void {
    this.#database.execute(
      'INSERT INTO activities (origin, displayText, date) VALUES (?, ?, ?)',
      origin,
      displayText,
      date,
    );
  }

  /**
   * Inserts a gift, its request body, and its activity in one transaction. As on the platform,
   * inserting the same reference twice creates two gifts.
   */
  insertGift(gift: NewRecord<Gift>, request: string, activity: NewRecord<Activity>): Gift {
    return this.runInTransaction(() => {
      const id = this.#database.execute(
        'INSERT INTO gifts (reference, record) VALUES (?, ?)',
        gift.reference,
        request,
      );
      this.#database.execute(
        'INSERT INTO giftDetails VALUES (?, ?, ?)',
        id,
        gift.donorId,
        JSON.stringify(gift),
      );
      this.insertActivity(activity);
      return { ...gift, id };
    });
  }

  /** Lists the IDs of the gifts with the given reference, oldest first. */
  listGiftIdsByReference(reference: string): number[] {
    return this.#database
      .queryAll<{ readonly id: number }>(
        'SELECT id FROM gifts WHERE reference = ? ORDER BY id',
        reference,
      )
      .map(({ id }) => id);
  }

  findGift(id: number): Gift | undefined {
    return this.#queryRecords<Gift>('SELECT id, record FROM giftDetails WHERE id = ?', id)[0];
  }

  /** Oldest first. */
  listGifts(): Gift[] {
    return this.#queryRecords<Gift>('SELECT id, record FROM giftDetails ORDER BY id');
  }

  /**
   * Lists the gifts created in a period, oldest first.
   * @param from start of the period, inclusive, in ISO 8601.
   * @param to end of the period, exclusive, in ISO 8601.
   */
  listGiftsBetween(from: string, to: string, skip: number, take: number): Gift[] {
    return this.#queryRecords<Gift>(
      "SELECT id, record FROM giftDetails WHERE record ->> 'created' >= ? AND record ->> " +
        "'created' < ? ORDER BY record ->> 'created', id LIMIT ? OFFSET ?",
      from,
      to,
      take,
      skip,
    );
  }

  /** Newest first. */
  listLatestGifts(count: number): Gift[] {
    return this.#queryRecords<Gift>(
      "SELECT id, record FROM giftDetails ORDER BY record ->> 'created' DESC, id DESC LIMIT ?",
      count,
    );
  }

  updateGift({ id, ...gift }: Gift, activity?: NewRecord<Activity>): void {
    this.runInTransaction(() => {
      this.#database.execute(
        'UPDATE giftDetails SET donorId = ?, record = ? WHERE id = ?',
        gift.donorId,
        JSON.stringify(gift),
        id,
      );
      if (activity) this.insertActivity(activity);
    });
  }

  /** Oldest first. */
  listDonors(): Donor[] {
    return this.#queryRecords<Donor>('SELECT id, record FROM donors ORDER BY id');
  }

  findDonorById(id: number): Donor | undefined {
    return this.#queryRecords<Donor>('SELECT id, record FROM donors WHERE id = ?', id)[0];
  }

  /** Finds a donor by email. Ignores case. */
  findDonorByEmail(email: string): Donor | undefined {
    return email === ''
      ? undefined
      : this.#queryRecords<Donor>(
          'SELECT id, record FROM donors WHERE email = ? ORDER BY id',
          email.toLowerCase(),
        )[0];
  }

  insertDonor(donor: NewRecord<Donor>): Donor {
    return {
      ...donor,
      id: this.#database.execute(
        'INSERT INTO donors (email, record) VALUES (?, ?)',
        donor.email.toLowerCase(),
        JSON.stringify(donor),
      ),
    };
  }

  replaceDonor({ id, ...donor }: Donor): void {
    this.#database.execute(
      'UPDATE donors SET email = ?, record = ? WHERE id = ?',
      donor.email.toLowerCase(),
      JSON.stringify(donor),
      id,
    );
  }

  listWebhooks(): Webhook[] {
    return this.#queryRecords<Webhook>('SELECT id, record FROM webhooks ORDER BY id');
  }

  insertWebhook(webhook: NewRecord<Webhook>): Webhook {
    return {
      ...webhook,
      id: this.#database.execute(
        'INSERT INTO webhooks (record) VALUES (?)',
        JSON.stringify(webhook),
      ),
    };
  }

  replaceWebhook({ id, ...webhook }: Webhook): void {
    this.#database.execute(
      'UPDATE webhooks SET record = ? WHERE id = ?',
      JSON.stringify(webhook),
      id,
    );
  }

  deleteWebhook(id: number): void {
    this.#database.execute('DELETE FROM webhooks WHERE id = ?', id);
  }

  /** Runs a task in a transaction, unless a task with the same name has already completed. */
  runTaskOnce(name: string, task: () => void): void {
    this.runInTransaction(() => {
      if (
        this.#database.queryAll('SELECT name FROM completedTasks WHERE name = ?', name).length > 0
      )
        return;
      task();
      this.#database.execute('INSERT INTO completedTasks VALUES (?)', name);
    });
  }

  /** Runs the callback in a transaction. Nested calls join the outer transaction. */
  runInTransaction<Result>(callback: () => Result): Result {
    return this.#database.runInTransaction(callback);
  }

  #queryRecords<Kind>(sql: string, ...values: SQLInputValue[]): Kind[] {
    return this.#database
      .queryAll<{ id: number; record: string }>(sql, ...values)
      .map(({ id, record }) => ({ ...(JSON.parse(record) as NewRecord<Kind>), id }) as Kind);
  }
}
