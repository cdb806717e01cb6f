/**
 * Bar 24: two servers share a PostgreSQL database, their clocks differ by 90 seconds, and both are
 * killed while donors give.
 */
import { waitUntilProcessed } from './audit.ts';
import { type Bar, createExactFigure, type Figure } from './figure.ts';
import {
  checkDonations,
  createClockOptions,
  FAILURES,
  killServersInTurn,
  startOwnPostgres,
} from './kills.ts';
import { openWorld } from './world.ts';

/** How far the second server's clock is ahead, in milliseconds of that clock. */
const SKEW = 90_000;
const SPEED = 20;
/** The platform takes up to 3 s by the servers' clocks. */
const RECORDING_TIME = { min: 300 / SPEED, max: 3_000 / SPEED, seed: 53 };
const SIZE = { count: 1_000, kills: 20 };
const TIMEOUT = 300_000;

/** Makes donations at two servers, which are killed and restarted in turn. */
async function killServersWithClockSkew(): Promise<Figure[]> {
  using cluster = await startOwnPostgres();
  const now = Date.now();
  await using world = await openWorld({
    postgres: cluster.postgres,
    sandbox: { ...FAILURES, ...createClockOptions(SPEED), recordingTime: RECORDING_TIME },
  });
  const clocks = [0, SKEW].map((skew) => `${now},${now + skew},${SPEED}`);
  const { killed, completed } = await killServersInTurn(world, SIZE, clocks);
  await waitUntilProcessed(world.database, TIMEOUT);
  return [
    createExactFigure('server kills', killed, SIZE.kills),
    ...(await checkDonations(world, completed, SIZE.count)),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 24,
    description: `two servers that share a PostgreSQL database, and whose clocks differ by ${SKEW / 1_000} s, are killed ${SIZE.kills} times (kill -9) in turn during ${SIZE.count.toLocaleString('en')} donations, with 5% of replies lost, 3% of calls refused, platform calls of up to 3 s, and the clocks at ×${SPEED}`,
    run: killServersWithClockSkew,
  },
];
