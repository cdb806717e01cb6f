/** Bar 8: the database's disk is temporarily full. */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { auditDonations, queryRows, waitUntilProcessed } from './audit.ts';
import { makeDonations } from './donors.ts';
import {
  type Bar,
  createExactFigure,
  createMinimumFigure,
  createZeroFigure,
  type Figure,
} from './figure.ts';
import { fetchForm, openWorld } from './world.ts';

const DONATIONS = 500;
const DISK_MEGABYTES = 64;
const FULL_MILLISECONDS = 5_000;

/** Runs a callback with the folder of a small file system. @throws without root permissions. */
async function withSmallDisk<Result>(
  callback: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-disk-'));
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder],
    { encoding: 'utf8' },
  );
  if (status !== 0)
    throw new Error(`Cannot mount a small file system: ${stderr.trim()}; run this as root.`);
  try {
    return await callback(folder);
  } finally {
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}

/** Writes a file until the disk is full. */
function fillDisk(file: string): void {
  for (const chunk of [Buffer.alloc(65_536), Buffer.alloc(512)]) {
    try {
      for (;;) appendFileSync(file, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

async function testFullDisk(folder: string): Promise<readonly Figure[]> {
  await using world = await openWorld({ databaseFolder: folder });
  const { url, readOutput } = await world.startServer();
  const { database, sandbox } = world;
  const filler = join(folder, 'filler');
  const progress = { completed: 0, isFinished: false };
  const donations = makeDonations({
    urls: [url],
    form: await fetchForm(url),
    createPayment: world.createPayment,
    count: DONATIONS,
    donors: 16,
    onCompleted: (completed) => {
      progress.completed = completed;
    },
  }).finally(() => {
    progress.isFinished = true;
  });
  donations.catch(() => undefined);
  while (progress.completed < DONATIONS / 5 && !progress.isFinished) await setTimeout(2);
  fillDisk(filler);
  await setTimeout(FULL_MILLISECONDS);
  const { charges } = await sandbox.getRecord();
  const rows = new Set(
    (await queryRows(database, 'SELECT reference FROM donations')).map(({ reference }) =>
      String(reference),
    ),
  );
  const lines = readOutput().split('\n');
  const refused = lines.filter((line) => line.includes('"route":"/donations","status":503')).length;
  const wrongReasons = lines.filter(
    (line) => line.includes('"reason":') && !line.includes('"reason":"database or disk is full"'),
  ).length;
  await rm(filler);
  const completed = await donations;
  await waitUntilProcessed(database, 180_000);
  return [
    createMinimumFigure('donations refused while the disk was full', refused, 1),
    createZeroFigure('log lines with a reason other than the full disk', wrongReasons),
    createZeroFigure(
      'charges without a database row',
      Object.keys(charges).filter((reference) => !rows.has(reference)).length,
    ),
    createExactFigure('donors with a final outcome afterward', completed.length, DONATIONS),
    ...(await auditDonations(database, completed, await sandbox.getRecord())),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 8,
    description: `the disk is full for ${FULL_MILLISECONDS / 1_000} s during ${DONATIONS} donations`,
    run: () => withSmallDisk(testFullDisk),
  },
];
