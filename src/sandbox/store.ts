import { DatabaseSync } from 'node:sqlite';
import { campaigns, type Campaign } from './seed.ts';

export interface Activity {
  readonly id: number;
  readonly origin: number;
  readonly displayText: string;
  readonly date: string;
}

export interface PlatformGift {
  readonly id: number;
  readonly reference: string;
}

export interface Card {
  readonly token: string;
  readonly lastFour: string;
  readonly behaviour: 'succeed' | 'decline' | 'insufficient-funds' | 'lose-reply';
}

export interface Charge {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly frequency: string;
  readonly state: 'succeeded' | 'declined';
  readonly declineCode: string | null;
  readonly lastFour: string;
}

/** What the sandbox remembers, in one SQLite file or in memory. No card number is ever kept. */
export class SandboxStore {
  readonly #db: DatabaseSync;

  constructor(file = ':memory:') {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA busy_timeout = 5000;
      CREATE TABLE IF NOT EXISTS activities (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, displayText TEXT NOT NULL, date TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS gifts (id INTEGER PRIMARY KEY, reference TEXT NOT NULL, record TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS gifts_reference ON gifts (reference);
      CREATE TABLE IF NOT EXISTS cards (token TEXT PRIMARY KEY, lastFour TEXT NOT NULL, behaviour TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS charges (id TEXT PRIMARY KEY, reference TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
        frequency TEXT NOT NULL, state TEXT NOT NULL, declineCode TEXT, lastFour TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS idempotency (key TEXT PRIMARY KEY, request TEXT NOT NULL, charge TEXT NOT NULL);
    `);
  }

  campaigns(): readonly Campaign[] {
    return campaigns;
  }

  /** The newest first. */
  activities(): Activity[] {
    return this.#db.prepare('SELECT id, origin, displayText, date FROM activities ORDER BY id DESC').all() as unknown as Activity[];
  }

  /** Keeps a gift and what happened, together. The platform knows no idempotency: the same reference twice is two gifts. */
  addGift(reference: string, record: string, activity: Omit<Activity, 'id'>): PlatformGift {
    return this.#together(() => {
      const { lastInsertRowid } = this.#db.prepare('INSERT INTO gifts (reference, record) VALUES (?, ?)').run(reference, record);
      this.#db.prepare('INSERT INTO activities (origin, displayText, date) VALUES (?, ?, ?)').run(activity.origin, activity.displayText, activity.date);
      return { id: Number(lastInsertRowid), reference };
    });
  }

  gifts(reference: string): PlatformGift[] {
    return this.#db.prepare('SELECT id, reference FROM gifts WHERE reference = ? ORDER BY id').all(reference) as unknown as PlatformGift[];
  }

  addCard({ token, lastFour, behaviour }: Card): void {
    this.#db.prepare('INSERT INTO cards VALUES (?, ?, ?)').run(token, lastFour, behaviour);
  }

  charges(reference: string): Charge[] {
    return this.#db.prepare('SELECT * FROM charges WHERE reference = ?').all(reference) as unknown as Charge[];
  }

  /** The charge that a key brought about before, with the request that it came with. */
  chargeOf(key: string): { readonly request: string; readonly charge: Charge } | undefined {
    const row = this.#db.prepare('SELECT request, charge FROM idempotency WHERE key = ?').get(key) as { request: string; charge: string } | undefined;
    return row && { request: row.request, charge: JSON.parse(row.charge) as Charge };
  }

  /** Takes a card's token, which works once. */
  takeCard(token: string): Card | undefined {
    return this.#db.prepare('DELETE FROM cards WHERE token = ? RETURNING *').get(token) as Card | undefined;
  }

  addCharge(key: string, request: string, charge: Charge): void {
    this.#together(() => {
      this.#db.prepare('INSERT INTO charges VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(charge.id, charge.reference, charge.amount, charge.currency, charge.frequency, charge.state, charge.declineCode, charge.lastFour);
      this.#db.prepare('INSERT INTO idempotency VALUES (?, ?, ?)').run(key, request, JSON.stringify(charge));
    });
  }

  close(): void {
    this.#db.close();
  }

  #together<Result>(work: () => Result): Result {
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
}
