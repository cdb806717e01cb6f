/** Bar 10: the platform enforces its calls an hour. */
import { audit, drained } from './audit.ts';
import { atMost, exactly, none, type Bar, type Figure } from './bar.ts';
import { give } from './donors.ts';
import { openWorld, seeForm } from './world.ts';

const GIFTS = 2_000;
const LIMIT = 1_500;
const HOUR = 3_600_000;
/** How many times as fast as the machine's the clock of server and platform is. */
const SPEED = 30;

async function hourlyLimit(): Promise<readonly Figure[]> {
  const clock = `${Date.now()},${Math.ceil(Date.now() / HOUR) * HOUR},${SPEED}`;
  await using world = await openWorld({ sandbox: { hourlyLimit: LIMIT, clock } });
  const { address } = await world.serve();
  const { database, sandbox } = world;
  const told = await give({
    addresses: [address],
    seen: await seeForm(address),
    gifts: GIFTS,
    donors: 32,
  });
  await drained(database, (3 * HOUR) / SPEED);
  const witness = await sandbox.witness();
  const { calls } = witness;
  const reset = calls[0]!.resetsAt * 1_000;
  const limited = calls.filter(({ status }) => status === 429);
  const firstHour = calls.filter(({ at }) => at < reset);
  return [
    atMost('calls that the platform answered 429', limited.length, 1),
    none(
      'calls between the one that used the hour up, or the 429, and its reset',
      Math.max(firstHour.length - LIMIT, 0) +
        calls.filter(
          ({ at }) => limited[0] && at > limited[0].at && at < limited[0].resetsAt * 1_000,
        ).length,
    ),
    exactly(
      'gifts that the platform knows by the end of the second hour',
      calls.filter(
        ({ method, status, at }) => method === 'POST' && status === 200 && at < reset + HOUR,
      ).length,
      GIFTS,
    ),
    exactly('calls, but those answered 429', calls.length - limited.length, GIFTS),
    ...(await audit(database, told, witness, false)),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 10,
    about: `${GIFTS.toLocaleString('en')} gifts, a platform that takes ${LIMIT.toLocaleString('en')} calls an hour, clock ${SPEED} times as fast`,
    run: hourlyLimit,
  },
];
