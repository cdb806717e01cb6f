/** Bar 10: the platform enforces its hourly limit. */
import { auditDonations, waitUntilProcessed } from './audit.ts';
import { makeDonations } from './donors.ts';
import {
  type Bar,
  createExactFigure,
  createMaximumFigure,
  createZeroFigure,
  type Figure,
} from './figure.ts';
import { fetchForm, openWorld } from './world.ts';

const DONATIONS = 2_000;
const LIMIT = 1_500;
const HOUR = 3_600_000;
/** Speed of the clock of the server and the platform. */
const SPEED = 30;

async function testHourlyLimit(): Promise<readonly Figure[]> {
  const clock = `${Date.now()},${Math.ceil(Date.now() / HOUR) * HOUR},${SPEED}`;
  await using world = await openWorld({ sandbox: { hourlyLimit: LIMIT, clock } });
  const { url } = await world.startServer();
  const { database, sandbox } = world;
  const completed = await makeDonations({
    urls: [url],
    form: await fetchForm(url),
    count: DONATIONS,
    donors: 32,
  });
  await waitUntilProcessed(database, (3 * HOUR) / SPEED);
  const record = await sandbox.getRecord();
  const { calls } = record;
  const reset = calls[0]!.resetsAt * 1_000;
  const limited = calls.filter(({ status }) => status === 429);
  const firstHour = calls.filter(({ at }) => at < reset);
  return [
    createMaximumFigure('calls rejected with 429', limited.length, 1),
    createZeroFigure(
      'calls after reaching the limit or receiving a 429',
      Math.max(firstHour.length - LIMIT, 0) +
        calls.filter(
          ({ at }) => limited[0] && at > limited[0].at && at < limited[0].resetsAt * 1_000,
        ).length,
    ),
    createExactFigure(
      'donations recorded within two hours',
      calls.filter(
        ({ method, status, at }) => method === 'POST' && status === 200 && at < reset + HOUR,
      ).length,
      DONATIONS,
    ),
    createExactFigure('other calls', calls.length - limited.length, DONATIONS),
    ...(await auditDonations(database, completed, record, false)),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 10,
    description: `the server sends ${DONATIONS.toLocaleString('en')} donations to a platform that accepts ${LIMIT.toLocaleString('en')} calls per hour, with the clock at ×${SPEED}`,
    run: testHourlyLimit,
  },
];
