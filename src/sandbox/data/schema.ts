/**
 * Tables of the sandbox's database. The `record` columns store objects as JSON. `gifts.record`
 * stores the request that recorded the gift, and `giftDetails.record` stores the gift's fields.
 */
export const SCHEMA = `
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
  CREATE TABLE IF NOT EXISTS crmTransactions (id INTEGER PRIMARY KEY, source TEXT NOT NULL, transactionId TEXT NOT NULL, received TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (source, transactionId));
  CREATE TABLE IF NOT EXISTS emails (id INTEGER PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS stripeObjects (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS stripeObjects_type ON stripeObjects (type, seq);
  CREATE INDEX IF NOT EXISTS stripeObjects_created ON stripeObjects (type, record ->> '$.created');
  CREATE INDEX IF NOT EXISTS stripeObjects_paymentIntent ON stripeObjects (type, record ->> '$.payment_intent');
  CREATE INDEX IF NOT EXISTS stripeObjects_invoicePayment ON stripeObjects (type, record ->> '$.payment.payment_intent');
  CREATE INDEX IF NOT EXISTS stripeObjects_email ON stripeObjects (type, record ->> '$.email');
  CREATE INDEX IF NOT EXISTS stripeObjects_customer ON stripeObjects (type, record ->> '$.customer');
  CREATE INDEX IF NOT EXISTS stripeObjects_donationFormReference ON stripeObjects (type, record ->> '$.metadata.donation_form_reference');
  CREATE TABLE IF NOT EXISTS stripeNotes (kind TEXT NOT NULL, key TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stripeTasks (kind TEXT NOT NULL, id TEXT NOT NULL, dueAt INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS stripeTasks_dueAt ON stripeTasks (dueAt);
  CREATE TABLE IF NOT EXISTS stripeDeliveries (seq INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS completedTasks (name TEXT PRIMARY KEY);
`;
