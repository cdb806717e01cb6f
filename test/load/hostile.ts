/** Bars 14 and 15: hostile clients. */
import { simulateCardTesting } from './card-tester.ts';
import {
  type Bar,
  createExactFigure,
  createMaximumFigure,
  createMinimumFigure,
  createZeroFigure,
  type Figure,
} from './figure.ts';
import { openSlowSockets } from './slow-sockets.ts';
import { openWorld } from './world.ts';

const SOCKETS = 500;

async function testCardTesting(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const solvesChallenges of [false, true]) {
    const { attempts, reached, donors, passed, seconds } =
      await simulateCardTesting(solvesChallenges);
    const tester = `card tester who solves ${solvesChallenges ? 'every challenge' : 'no challenges'}`;
    figures.push(
      createMaximumFigure(
        `${tester}: cards that reached the payment provider, of ${attempts.toLocaleString('en')} attempts in ${Math.round(seconds)} s`,
        reached,
        100,
      ),
      createExactFigure(
        `${tester}: donors who completed their donation, of ${donors}`,
        passed,
        donors,
      ),
    );
  }
  return figures;
}

async function testSlowSockets(): Promise<readonly Figure[]> {
  await using world = await openWorld();
  const { url } = await world.startServer();
  const sendRequest = async (): Promise<void> => {
    const response = await fetch(`${url}/form`);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET /form returned ${response.status}`);
  };
  const { closed, longestLife, requests, failed, p99 } = await openSlowSockets(
    url,
    SOCKETS,
    sendRequest,
  );
  return [
    createExactFigure('sockets closed by the server', closed, SOCKETS),
    createMaximumFigure('longest socket lifetime', longestLife / 1_000, 20, 's'),
    createMinimumFigure('legitimate requests sent', requests, 1),
    createZeroFigure('legitimate requests that failed', failed),
    createMaximumFigure('response time of legitimate requests, 99th percentile', p99, 100, 'ms'),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 14,
    description:
      'a card tester makes 2,000 attempts from 200 IP addresses in 5 minutes, alongside 20 legitimate donors',
    run: testCardTesting,
  },
  { number: 15, description: `${SOCKETS} sockets send requests slowly`, run: testSlowSockets },
];
