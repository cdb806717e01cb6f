import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { hashSha256 } from '../../../src/server/lib/hash.ts';
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
    .select(['number', 'reference', 'status', 'hash', 'content'])
    .orderBy('number')
    .execute();
  const paid = await database.db
    .selectFrom('donations')
    .select('reference')
    .where('status', '=', 'succeeded')
    .execute();
  await database.close();
  assert.ok(rows.length > 3 * kills);
  assert.deepEqual(
    rows.map(({ number }) => number),
    rows.map((_row, index) => index + 1),
  );
  assert.deepEqual(
    rows.map(({ reference }) => reference).sort(),
    paid.map(({ reference }) => reference).sort(),
  );
  for (const { status, hash, content } of rows) {
    assert.equal(status, 'issued');
    assert.equal(hash, hashSha256(content!));
  }
}
