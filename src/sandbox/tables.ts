/** The sandbox's tables. What has many fields is kept as JSON under the field `record`. */
export const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS activities (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, displayText TEXT NOT NULL, date TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS donors (id INTEGER PRIMARY KEY, email TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS donors_email ON donors (email);
  CREATE TABLE IF NOT EXISTS gifts (id INTEGER PRIMARY KEY, reference TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS gifts_reference ON gifts (reference);
  CREATE TABLE IF NOT EXISTS giftDetails (id INTEGER PRIMARY KEY REFERENCES gifts, donorId INTEGER NOT NULL REFERENCES donors, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS giftDetails_created ON giftDetails (record ->> 'created', id);
  CREATE TABLE IF NOT EXISTS webhooks (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS cards (token TEXT PRIMARY KEY, lastFour TEXT NOT NULL, behaviour TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS charges (id TEXT PRIMARY KEY, reference TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
    frequency TEXT NOT NULL, state TEXT NOT NULL, declineCode TEXT, lastFour TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS idempotency (key TEXT PRIMARY KEY, request TEXT NOT NULL, charge TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS done (name TEXT PRIMARY KEY);
`;
