import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Activity, Campaign, Card, Charge, Donor, Gift, PlatformGift, Unnumbered, Webhook } from './records.ts';
import { campaigns } from './seed.ts';
import { TABLES } from './tables.ts';

/** What the sandbox remembers, in one SQLite file or in memory. No card number is ever kept. */
export class SandboxStore {
  readonly #db: DatabaseSync;

  constructor(file = ':memory:') {
    this.#db = new DatabaseSync(file);
    this.#db.exec(TABLES);
  }

  campaigns(): readonly Campaign[] {
    return campaigns;
  }

  /** The newest first. */
  activities(): Activity[] {
    return this.#all('SELECT id, origin, displayText, date FROM activities ORDER BY date DESC, id DESC');
  }

  addActivity({ origin, displayText, date }: Unnumbered<Activity>): void {
    this.#run('INSERT INTO activities (origin, displayText, date) VALUES (?, ?, ?)', origin, displayText, date);
  }

  /** Keeps a gift, what it came with, and what happened, together. The platform knows no idempotency: the same reference twice is two gifts. */
  addGift(gift: Unnumbered<Gift>, request: string, activity: Unnumbered<Activity>): Gift {
    return this.together(() => {
      const id = this.#run('INSERT INTO gifts (reference, record) VALUES (?, ?)', gift.reference, request);
      this.#run('INSERT INTO giftDetails VALUES (?, ?, ?)', id, gift.donorId, JSON.stringify(gift));
      this.addActivity(activity);
      return { ...gift, id };
    });
  }

  /** The gifts under a reference, the oldest first. */
  giftsUnder(reference: string): PlatformGift[] {
    return this.#all('SELECT id, reference FROM gifts WHERE reference = ? ORDER BY id', reference);
  }

  gift(id: number): Gift | undefined {
    return this.#records<Gift>('SELECT id, record FROM giftDetails WHERE id = ?', id)[0];
  }

  /** The oldest first. */
  gifts(): Gift[] {
    return this.#records<Gift>('SELECT id, record FROM giftDetails ORDER BY id');
  }

  /** The newest first. */
  latestGifts(count: number): Gift[] {
    return this.#records<Gift>("SELECT id, record FROM giftDetails ORDER BY record ->> 'created' DESC, id DESC LIMIT ?", count);
  }

  changeGift({ id, ...gift }: Gift, activity?: Unnumbered<Activity>): void {
    this.together(() => {
      this.#run('UPDATE giftDetails SET donorId = ?, record = ? WHERE id = ?', gift.donorId, JSON.stringify(gift), id);
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
    return email === '' ? undefined : this.#records<Donor>('SELECT id, record FROM donors WHERE email = ? ORDER BY id', email.toLowerCase())[0];
  }

  addDonor(donor: Unnumbered<Donor>): Donor {
    return { ...donor, id: this.#run('INSERT INTO donors (email, record) VALUES (?, ?)', donor.email.toLowerCase(), JSON.stringify(donor)) };
  }

  changeDonor({ id, ...donor }: Donor): void {
    this.#run('UPDATE donors SET email = ?, record = ? WHERE id = ?', donor.email.toLowerCase(), JSON.stringify(donor), id);
  }

  webhooks(): Webhook[] {
    return this.#records<Webhook>('SELECT id, record FROM webhooks ORDER BY id');
  }

  addWebhook(webhook: Unnumbered<Webhook>): Webhook {
    return { ...webhook, id: this.#run('INSERT INTO webhooks (record) VALUES (?)', JSON.stringify(webhook)) };
  }

  changeWebhook({ id, ...webhook }: Webhook): void {
    this.#run('UPDATE webhooks SET record = ? WHERE id = ?', JSON.stringify(webhook), id);
  }

  removeWebhook(id: number): void {
    this.#run('DELETE FROM webhooks WHERE id = ?', id);
  }

  addCard({ token, lastFour, behaviour }: Card): void {
    this.#run('INSERT INTO cards VALUES (?, ?, ?)', token, lastFour, behaviour);
  }

  charges(reference: string): Charge[] {
    return this.#all('SELECT * FROM charges WHERE reference = ?', reference);
  }

  /** The charge that a key brought about before, with the request that it came with. */
  chargeOf(key: string): { readonly request: string; readonly charge: Charge } | undefined {
    const [row] = this.#all<{ request: string; charge: string }>('SELECT request, charge FROM idempotency WHERE key = ?', key);
    return row && { request: row.request, charge: JSON.parse(row.charge) as Charge };
  }

  /** Takes a card's token, which works once. */
  takeCard(token: string): Card | undefined {
    return this.#all<Card>('DELETE FROM cards WHERE token = ? RETURNING *', token)[0];
  }

  addCharge(key: string, request: string, charge: Charge): void {
    this.together(() => {
      this.#run('INSERT INTO charges VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        charge.id, charge.reference, charge.amount, charge.currency, charge.frequency, charge.state, charge.declineCode, charge.lastFour);
      this.#run('INSERT INTO idempotency VALUES (?, ?, ?)', key, request, JSON.stringify(charge));
    });
  }

  /** Does some work once in the life of the store, and all of it or none. */
  once(name: string, work: () => void): void {
    this.together(() => {
      if (this.#all('SELECT name FROM done WHERE name = ?', name).length > 0) return;
      work();
      this.#run('INSERT INTO done VALUES (?)', name);
    });
  }

  /** Does all of some work or none of it; inside other such work, as a part of it. */
  together<Result>(work: () => Result): Result {
    if (this.#db.isTransaction) return work();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  /** @returns the id of the row that was inserted last. */
  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#db.prepare(sql).run(...values).lastInsertRowid);
  }

  #all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#db.prepare(sql).all(...values) as unknown as Row[];
  }

  #records<Kind>(sql: string, ...values: SQLInputValue[]): Kind[] {
    return this.#all<{ id: number; record: string }>(sql, ...values).map(({ id, record }) => ({ ...JSON.parse(record) as Unnumbered<Kind>, id }) as Kind);
  }
}
