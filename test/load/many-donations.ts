/** Bar 9: memory and database over many donations. */
import { auditDonations, countRows, queryRows, waitUntilProcessed } from './audit.ts';
import { type CompletedDonation, makeDonations } from './donors.ts';
import {
  type Bar,
  createExactFigure,
  createMaximumFigure,
  createZeroFigure,
  type Figure,
} from './figure.ts';
import { fetchForm, openWorld } from './world.ts';

interface DonationCounts {
  readonly offline: number;
  readonly byCard: number;
}

const WARM_UP: DonationCounts = { offline: 20_000, byCard: 2_000 };
const MEASURED: DonationCounts = { offline: 45_000, byCard: 5_000 };
const DONORS = 16;
/**
 * Speed of the server's clock. The fraud protection counts a donor for ten minutes, in memory, and
 * must drop the first donors before the last ones arrive.
 */
const SPEED = 20;
const TIMEOUT = 3_600_000;
const MEGABYTE = 2 ** 20;
const INSPECTOR_URL = /^Debugger listening on (ws:\S+)$/m;

const getTotalCount = ({ offline, byCard }: DonationCounts): number => offline + byCard;
const formatNumber = (number: number): string => number.toLocaleString('en');

async function testManyDonations(): Promise<readonly Figure[]> {
  await using world = await openWorld({
    sandbox: { clock: `${Date.now()},${Date.now()},${SPEED}` },
    commandPrefix: ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0'],
  });
  const { url, readMemory, readOutput } = await world.startServer();
  const { database, sandbox } = world;
  const form = await fetchForm(url);
  let lostOutcomes = 0;
  const onNoOutcome = (): void => {
    lostOutcomes += 1;
  };
  const options = { urls: [url], form, donors: DONORS, onNoOutcome };
  /** @returns the donations by card. */
  const makeAllDonations = async ({
    offline,
    byCard,
  }: DonationCounts): Promise<CompletedDonation[]> => {
    const [completed] = await Promise.all([
      makeDonations({ ...options, createPayment: world.createPayment, count: byCard }),
      makeDonations({ ...options, count: offline }),
    ]);
    await waitUntilProcessed(database, TIMEOUT);
    return completed;
  };
  /** Collects garbage first, because Node leaves hundreds of megabytes of it on large machines. */
  const measureMemory = async (): Promise<number> => {
    await collectGarbage(readOutput());
    return readMemory();
  };
  const first = await makeAllDonations(WARM_UP);
  const before = await measureMemory();
  const completed = [...first, ...(await makeAllDonations(MEASURED))];
  const after = await measureMemory();
  const total = getTotalCount(WARM_UP) + getTotalCount(MEASURED);
  const record = await sandbox.getRecord();
  return [
    createMaximumFigure(
      `memory growth after garbage collection, from ${Math.round(before / MEGABYTE)} MB after ${formatNumber(getTotalCount(WARM_UP))} donations to ${Math.round(after / MEGABYTE)} MB after ${formatNumber(total)}`,
      (after / before - 1) * 100,
      10,
      '%',
    ),
    createZeroFigure(
      "problems reported by the database's integrity check",
      (await queryRows(database, 'PRAGMA integrity_check')).filter(
        (row) => row.integrity_check !== 'ok',
      ).length,
    ),
    createZeroFigure('requests without an outcome', lostOutcomes),
    createExactFigure('donations in the database', await countRows(database, 'donations'), total),
    createZeroFigure(
      'unprocessed rows',
      (await countRows(database, `donations WHERE status NOT IN ('processing', 'succeeded')`)) +
        (await countRows(database, `outbox WHERE status <> 'delivered'`)),
    ),
    createExactFigure(
      'donations recorded on the platform',
      Object.keys(record.gifts).length,
      total,
    ),
    ...(await auditDonations(database, completed, record)),
  ];
}

/** Collects the garbage of a process that runs with `--inspect`, whose output has the URL. */
async function collectGarbage(output: string): Promise<void> {
  const inspector = new WebSocket(INSPECTOR_URL.exec(output)![1]!);
  try {
    await waitFor(inspector, 'open');
    inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await waitFor(inspector, 'message');
  } finally {
    inspector.close();
  }
}

function waitFor(inspector: WebSocket, type: 'open' | 'message'): Promise<void> {
  return new Promise((resolve, reject) => {
    inspector.addEventListener(type, () => resolve(), { once: true });
    inspector.addEventListener('error', () => reject(new Error('the inspector does not respond')), {
      once: true,
    });
  });
}

export const bars: readonly Bar[] = [
  {
    number: 9,
    description: `the server accepts ${formatNumber(getTotalCount(MEASURED))} donations, ${formatNumber(MEASURED.byCard)} of them by card, after ${formatNumber(getTotalCount(WARM_UP))} to warm up, with the clock at ×${SPEED}`,
    run: testManyDonations,
  },
];
