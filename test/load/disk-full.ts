/** Bar 8: the disk of the database is full for a while. */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ask, audit, drained } from './audit.ts';
import { atLeast, exactly, none, type Bar, type Figure } from './bar.ts';
import { give } from './donors.ts';
import { openWorld, seeForm } from './world.ts';

const GIFTS = 500;
const MEGABYTES = 64;
const FULL_FOR = 5_000;

/** Makes a small file system of its own for some work. @throws where that is not permitted. */
async function onSmallDisk<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-disk-'));
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', folder],
    { encoding: 'utf8' },
  );
  if (status !== 0)
    throw new Error(`a small file system cannot be mounted, which takes root: ${stderr.trim()}`);
  try {
    return await work(folder);
  } finally {
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}

/** Writes until nothing fits any more. */
function fill(file: string): void {
  for (const piece of [Buffer.alloc(65_536), Buffer.alloc(512)]) {
    try {
      for (;;) appendFileSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

async function fullDisk(folder: string): Promise<readonly Figure[]> {
  await using world = await openWorld({ databaseFolder: folder });
  const { address, said } = await world.serve();
  const { database, sandbox } = world;
  const filler = join(folder, 'filler');
  const progress = { told: 0, isOver: false };
  const giving = give({
    addresses: [address],
    seen: await seeForm(address),
    tokens: sandbox.tokens,
    gifts: GIFTS,
    donors: 16,
    onTold: (told) => {
      progress.told = told;
    },
  }).finally(() => {
    progress.isOver = true;
  });
  giving.catch(() => undefined);
  while (progress.told < GIFTS / 5 && !progress.isOver) await setTimeout(2);
  fill(filler);
  await setTimeout(FULL_FOR);
  const { charges } = await sandbox.witness();
  const rows = new Set(
    (await ask(database, 'SELECT reference FROM donations')).map(({ reference }) =>
      String(reference),
    ),
  );
  const refused = said()
    .split('\n')
    .filter((line) => line.includes('"route":"/donations","status":503')).length;
  await rm(filler);
  const all = await giving;
  await drained(database, 180_000);
  return [
    atLeast('gifts refused while the disk was full', refused, 1),
    none(
      'charges without a row in the database while it was full',
      Object.keys(charges).filter((reference) => !rows.has(reference)).length,
    ),
    exactly('donors answered in the end, once there was room', all.length, GIFTS),
    ...(await audit(database, all, await sandbox.witness())),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 8,
    about: `the disk full for ${FULL_FOR / 1_000} s during ${GIFTS} gifts`,
    run: () => onSmallDisk(fullDisk),
  },
];
