/**
 * Bar 28: the server is killed while donors give at a platform that charges and records in one call,
 * repeats a repeated call, and shows new gifts late.
 */
import { countRows, queryRows, waitUntilProcessed } from './audit.ts';
import type { CompletedDonation } from './donors.ts';
import {
  type Bar,
  createCountFigure,
  createExactFigure,
  createMaximumFigure,
  createZeroFigure,
  type Figure,
} from './figure.ts';
import {
  addDatabaseToLabels,
  createClockOptions,
  killServersInTurn,
  type KillsOptions,
  startOwnPostgres,
} from './kills.ts';
import type { SandboxRecord } from './sandbox.ts';
import { openWorld, type World } from './world.ts';

/** Speed of the clocks. A restart of the server takes that many times its real duration. */
const SPEED = 5;
/** Longest time until the platform's search shows a gift, in milliseconds. */
const SEARCH_DELAY = 60_000;
/** Time after which a donor stops asking for the outcome, in milliseconds of the real clock. */
const PATIENCE = 15_000;
const TIMEOUT = 180_000;

interface Row {
  readonly reference: string;
  readonly status: string;
  /** From the start of the charge until the last change, in milliseconds. */
  readonly age: number;
}

/** Makes donations at the platform while the server is killed and restarted. */
export async function killServerOfOneCallPlatform({
  count,
  kills,
  postgres,
}: Pick<KillsOptions, 'count' | 'kills' | 'postgres'>): Promise<Figure[]> {
  await using world = await openWorld({
    sandbox: { replyLossRate: 0.05, searchDelay: SEARCH_DELAY, ...createClockOptions(SPEED) },
    postgres,
    provider: 'raise',
  });
  const options = { count, kills, patience: PATIENCE };
  const { killed, completed } = await killServersInTurn(world, options);
  await waitUntilProcessed(world.database, TIMEOUT);
  return [
    createExactFigure('server kills', killed, kills),
    createExactFigure('donors with an outcome', completed.length, count),
    ...(await auditCharges(world.database, completed, await world.sandbox.getRecord())),
  ];
}

/** Compares the platform's gifts, each of which is a charge, with the donations. */
async function auditCharges(
  database: World['database'],
  completed: readonly CompletedDonation[],
  { gifts, lostReplies }: SandboxRecord,
): Promise<Figure[]> {
  const rows = (await queryRows(
    database,
    'SELECT reference, status, updated_at - charge_started_at AS age FROM donations',
  )) as unknown as Row[];
  const statuses = new Map(rows.map(({ reference, status }) => [reference, status]));
  const uncertain = rows.filter(({ status }) => status === 'needs_review');
  const isKnown = (reference: string): boolean =>
    ['succeeded', 'needs_review'].includes(statuses.get(reference) ?? '');
  return [
    createZeroFigure(
      'donations charged and recorded twice',
      Object.values(gifts).filter((ids) => ids.length > 1).length,
    ),
    createZeroFigure(
      'charges without a successful donation or a review',
      Object.keys(gifts).filter((reference) => !isKnown(reference)).length,
    ),
    createZeroFigure(
      'successful donations without a charge',
      [...rows, ...completed].filter(
        ({ reference, status }) => status === 'succeeded' && gifts[reference] === undefined,
      ).length,
    ),
    createZeroFigure(
      'idempotency keys that returned two references',
      completed.filter(({ otherReferences }) => otherReferences.length > 0).length,
    ),
    createZeroFigure(
      'donations and outbox rows without a final status',
      (await countRows(database, `donations WHERE status = 'unconfirmed'`)) +
        (await countRows(database, `outbox WHERE status <> 'delivered'`)),
    ),
    createMaximumFigure(
      "longest time until a person sees an uncertain donation, by the server's clock",
      Math.max(0, ...uncertain.map(({ age }) => age)) / 1_000,
      120,
      's',
    ),
    createCountFigure('lost replies', lostReplies),
    createCountFigure('uncertain donations to review', uncertain.length),
    createCountFigure(
      'uncertain donations that the platform charged',
      uncertain.filter(({ reference }) => gifts[reference] !== undefined).length,
    ),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 28,
    description: `the server is killed 20 times (kill -9) during 2,000 donations on a platform that charges and records in one call, without idempotency; 5% of replies are lost, search results are up to 60 s late, and the clocks run at ×${SPEED}`,
    async run() {
      using cluster = await startOwnPostgres();
      const size = { count: 2_000, kills: 20 };
      return [
        ...addDatabaseToLabels('SQLite', await killServerOfOneCallPlatform(size)),
        ...addDatabaseToLabels(
          'PostgreSQL',
          await killServerOfOneCallPlatform({ ...size, postgres: cluster.postgres }),
        ),
      ];
    },
  },
];
