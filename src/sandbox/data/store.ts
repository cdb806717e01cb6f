import type { SQLInputValue } from 'node:sqlite';
import type { Database } from './database.ts';
import type {
  Activity,
  Campaign,
  Donor,
  Gift,
  PlatformGift,
  Unnumbered,
  Webhook,
} from './records.ts';
import { campaigns } from './seed.ts';

/** What the sandbox remembers of the organisation. */
export class SandboxStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  campaigns(): readonly Campaign[] {
    return campaigns;
  }

  /** The newest first. */
  activities(): Activity[] {
    return this.#database.all(
      'SELECT id, origin, displayText, date FROM activities ORDER BY date DESC, id DESC',
    );
  }

  addActivity({ origin, displayText, date }: Unnumbered<Activity>): void {
    this.#database.run(
      'INSERT INTO activities (origin, displayText, date) VALUES (?, ?, ?)',
      origin,
      displayText,
      date,
    );
  }

  /**
   * Keeps a gift, what it came with, and what happened, together. The platform knows no
   * idempotency: the same reference twice is two gifts.
   */
  addGift(gift: Unnumbered<Gift>, request: string, activity: Unnumbered<Activity>): Gift {
    return this.together(() => {
      const id = this.#database.run(
        'INSERT INTO gifts (reference, record) VALUES (?, ?)',
        gift.reference,
        request,
      );
      this.#database.run(
        'INSERT INTO giftDetails VALUES (?, ?, ?)',
        id,
        gift.donorId,
        JSON.stringify(gift),
      );
      this.addActivity(activity);
      return { ...gift, id };
    });
  }

  /** The gifts under a reference, the oldest first. */
  giftsUnder(reference: string): PlatformGift[] {
    return this.#database.all(
      'SELECT id, reference FROM gifts WHERE reference = ? ORDER BY id',
      reference,
    );
  }

  gift(id: number): Gift | undefined {
    return this.#records<Gift>('SELECT id, record FROM giftDetails WHERE id = ?', id)[0];
  }

  /** The oldest first. */
  gifts(): Gift[] {
    return this.#records<Gift>('SELECT id, record FROM giftDetails ORDER BY id');
  }

  /**
   * Those that were added from one moment until before another, both ISO 8601, the oldest first.
   */
  giftsBetween(from: string, to: string, skip: number, take: number): Gift[] {
    return this.#records<Gift>(
      "SELECT id, record FROM giftDetails WHERE record ->> 'created' >= ? AND record ->> 'created' < ? ORDER BY record ->> 'created', id LIMIT ? OFFSET ?",
      from,
      to,
      take,
      skip,
    );
  }

  /** The newest first. */
  latestGifts(count: number): Gift[] {
    return this.#records<Gift>(
      "SELECT id, record FROM giftDetails ORDER BY record ->> 'created' DESC, id DESC LIMIT ?",
      count,
    );
  }

  changeGift({ id, ...gift }: Gift, activity?: Unnumbered<Activity>): void {
    this.together(() => {
      this.#database.run(
        'UPDATE giftDetails SET donorId = ?, record = ? WHERE id = ?',
        gift.donorId,
        JSON.stringify(gift),
        id,
      );
      if (activity) this.addActivity(activity);
    });
  }

  /** The oldest first. */
  donors(): Donor[] {
    return this.#records<Donor>('SELECT id, record FROM donors ORDER BY id');
  }

  donor(id: number): Donor | undefined {
    return this.#records<Donor>('SELECT id, record FROM donors WHERE id = ?', id)[0];
  }

  /** The donor of an e-mail address, in any case. */
  donorOf(email: string): Donor | undefined {
    return email === ''
      ? undefined
      : this.#records<Donor>(
          'SELECT id, record FROM donors WHERE email = ? ORDER BY id',
          email.toLowerCase(),
        )[0];
  }

  addDonor(donor: Unnumbered<Donor>): Donor {
    return {
      ...donor,
      id: this.#database.run(
        'INSERT INTO donors (email, record) VALUES (?, ?)',
        donor.email.toLowerCase(),
        JSON.stringify(donor),
      ),
    };
  }

  changeDonor({ id, ...donor }: Donor): void {
    this.#database.run(
      'UPDATE donors SET email = ?, record = ? WHERE id = ?',
      donor.email.toLowerCase(),
      JSON.stringify(donor),
      id,
    );
  }

  webhooks(): Webhook[] {
    return this.#records<Webhook>('SELECT id, record FROM webhooks ORDER BY id');
  }

  addWebhook(webhook: Unnumbered<Webhook>): Webhook {
    return {
      ...webhook,
      id: this.#database.run('INSERT INTO webhooks (record) VALUES (?)', JSON.stringify(webhook)),
    };
  }

  changeWebhook({ id, ...webhook }: Webhook): void {
    this.#database.run('UPDATE webhooks SET record = ? WHERE id = ?', JSON.stringify(webhook), id);
  }

  removeWebhook(id: number): void {
    this.#database.run('DELETE FROM webhooks WHERE id = ?', id);
  }

  /** Does some work once in the life of the store, and all of it or none. */
  once(name: string, work: () => void): void {
    this.together(() => {
      if (this.#database.all('SELECT name FROM done WHERE name = ?', name).length > 0) return;
      work();
      this.#database.run('INSERT INTO done VALUES (?)', name);
    });
  }

  /** Does all of some work or none of it; inside other such work, as a part of it. */
  together<Result>(work: () => Result): Result {
    return this.#database.together(work);
  }

  #records<Kind>(sql: string, ...values: SQLInputValue[]): Kind[] {
    return this.#database
      .all<{ id: number; record: string }>(sql, ...values)
      .map(({ id, record }) => ({ ...(JSON.parse(record) as Unnumbered<Kind>), id }) as Kind);
  }
}
