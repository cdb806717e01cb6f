import type { OutboxEntry } from '../../../src/server/database/schema.ts';
import { waitUntil } from '../../wait-until.ts';
import { callAdmin } from '../admin/support.ts';
import { readJson, type TestServer } from '../support.ts';

/** Marks a pledge as charged with another amount. */
export async function markForReview({ repository }: TestServer, reference: string): Promise<void> {
  const row = (await repository.findByReference(reference))!;
  const lastError =
    'the payment provider charged 41.81 USD (pay_1) instead of the agreed 50.00 USD';
  await repository.applyTrigger(row, { type: 'contradicted' }, { columns: { lastError } });
}

/** Runs jobs, each time after a wait, until the creation of a gift has a status. */
export function waitForCreationStatus(
  server: TestServer,
  reference: string,
  status: OutboxEntry['status'],
  wait: () => unknown = () => undefined,
): Promise<void> {
  return waitUntil(async () => {
    wait();
    server.handler.start();
    return (await server.repository.outbox.findGiftCreation(reference))?.status === status;
  });
}

/** Retries a donation's pending work, and returns what came of it. */
export async function retryDonation(
  server: Pick<TestServer, 'fetchAdmin'>,
  reference: string,
): Promise<string[]> {
  const response = callAdmin(server, `/api/donations/${reference}/retry`, {});
  return (await readJson<{ results: string[] }>(response)).results;
}

/** Waits until the server has tried to create a gift. */
export const waitForAttempt = ({ repository }: TestServer, reference: string): Promise<void> =>
  waitUntil(async () => (await repository.outbox.findGiftCreation(reference))!.attempts > 0);
