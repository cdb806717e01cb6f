import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { hashSha256 } from '../../../src/server/lib/hash.ts';
import { loadPaidGift } from '../../../src/server/receipts/paid-gift.ts';
import { openIssuer } from './issue-receipts.ts';

interface KillOptions {
  readonly kills: number;
  /** Number of programs that use the database at the same time. */
  readonly programs: number;
}

async function startProgram(location: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [`${import.meta.dirname}/issue-receipts.ts`, location], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Kills programs at random times, issues the receipts that are left, and checks all of them. */
export async function checkReceiptsAfterKills(
  location: string,
  { kills, programs }: KillOptions,
): Promise<void> {
  const children = await Promise.all(
    Array.from({ length: programs }, () => startProgram(location)),
  );
  for (let count = 0; count < kills; count += 1) {
    await setTimeout(Math.random() * 50);
    await kill(children[count % programs]!);
    children[count % programs] = await startProgram(location);
  }
  await Promise.all(children.map(kill));
  const { database, receipts } = await openIssuer(location);
  await receipts.issueDueReceipts(AbortSignal.timeout(60_000));
  const rows = await database.db
    .selectFrom('receipts')
    .leftJoin('receiptFiles', 'receiptFiles.receipt', 'receipts.id')
    .select(['receipts.id', 'number', 'reference', 'status', 'hash', 'content', 'payload'])
    .select('voidReason')
    .where('number', 'is not', null)
    .orderBy('number')
    .execute();
  const paid = await database.db
    .selectFrom('donations')
    .select('reference')
    .where('status', '=', 'succeeded')
    .execute();
  const messages = await database.db
    .selectFrom('mailMessages')
    .select('event')
    .where('kind', '=', 'receipt')
    .execute();
  assert.ok(rows.length > 3 * kills);
  assert.deepEqual(
    rows.map(({ number }) => number),
    rows.map((_row, index) => index + 1),
  );
  assert.deepEqual(messages.map(({ event }) => event).sort(), rows.map(({ id }) => id).sort());
  for (const { hash, content } of rows) assert.equal(hash, hashSha256(content!));
  for (const { reference } of paid) {
    const own = rows.filter((row) => row.reference === reference);
    const valid = own.filter(({ status }) => status === 'issued');
    const { amountPaid } = await loadPaidGift(database.db, reference, { locksDonation: false });
    const isVoided = own.at(-1)?.voidReason?.startsWith('Voided by');
    assert.deepEqual(
      valid.map(({ payload }) => payload!.amount),
      isVoided ? [] : [amountPaid],
    );
  }
  await database.close();
}
