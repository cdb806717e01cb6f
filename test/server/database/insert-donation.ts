import { DatabaseSync } from 'node:sqlite';

export function insertDonation(
  file: string,
  { reference = 'A', status = 'succeeded', nextRunAt = 0, createdAt = 0 } = {},
): void {
  using client = new DatabaseSync(file);
  client
    .prepare(
      `INSERT INTO donations (reference, idempotency_key_hash, fingerprint, organization, status,
         payload, donor_key, attempts, charge_started_at, next_run_at, created_at, updated_at)
       VALUES (?, ?, '', 'lanternwell', ?, '{}', '', 0, 0, ?, ?, 0)`,
    )
    .run(reference, reference, status, nextRunAt, createdAt);
}
