import { setTimeout } from 'node:timers/promises';
import { countRows } from '../audit.ts';
import { makeDonations } from '../donors.ts';
import { renderTable } from '../report.ts';
import { fetchForm, openWorld } from '../world.ts';
import { type BenchResult, formatInteger } from './measure.ts';

const DONATIONS = 2_000;
/** More calls per hour than the donations need. */
const UNLIMITED = 1_000_000;

/** Measures how many donations a second reach a platform that has no hourly limit. */
export async function measureRecording(): Promise<BenchResult> {
  await using world = await openWorld({ sandbox: { hourlyLimit: UNLIMITED } });
  const server = await world.startServer();
  const form = await fetchForm(server.url);
  await makeDonations({ urls: [server.url], form, count: DONATIONS, donors: 32 });
  const countPending = (): Promise<number> =>
    countRows(world.database, "outbox WHERE status = 'pending'");
  const first = await countPending();
  const startedAt = performance.now();
  let pending = first;
  while (pending > 0) {
    await setTimeout(50);
    pending = await countPending();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate = first / seconds;
  return {
    text: renderTable([
      ['recording on a platform without limits', ''],
      ['donations that waited', formatInteger(first)],
      ['seconds until the last one was recorded', seconds.toFixed(1)],
      ['recorded per second', formatInteger(rate)],
    ]),
    goals: [
      { name: 'donations recorded per second', limit: 1_500, measured: rate, isMinimum: true },
    ],
  };
}
