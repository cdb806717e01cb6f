/** Bars 14 and 15: those who do not belong in. */
import { tryCards } from './card-tester.ts';
import { atLeast, atMost, exactly, none, type Bar, type Figure } from './bar.ts';
import { slowSockets } from './slow-sockets.ts';
import { openWorld } from './world.ts';

const SOCKETS = 500;

async function cardTester(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const solves of [false, true]) {
    const { attempts, reached, donors, passed, seconds } = await tryCards({ solves });
    const who = `a tester who solves ${solves ? 'what is asked' : 'nothing'}`;
    figures.push(
      atMost(
        `${who}: of ${attempts.toLocaleString('en')} attempts in ${Math.round(seconds)} s, reached the processor`,
        reached,
        100,
      ),
      exactly(`${who}: of ${donors} honest donors, passed`, passed, donors),
    );
  }
  return figures;
}

async function slowSenders(): Promise<readonly Figure[]> {
  await using world = await openWorld();
  const { address } = await world.serve();
  const ask = async (): Promise<void> => {
    const response = await fetch(`${address}/form`);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the form was answered ${response.status}`);
  };
  const { closed, longest, asked, failed, p99 } = await slowSockets({
    address,
    sockets: SOCKETS,
    ask,
  });
  return [
    exactly('sockets closed', closed, SOCKETS),
    atMost('the longest of them lived', longest / 1_000, 20, 's'),
    atLeast('honest requests meanwhile', asked, 1),
    none('of these failed', failed),
    atMost('99 of 100 of these took at most', p99, 100, 'ms'),
  ];
}

export const bars: readonly Bar[] = [
  {
    number: 14,
    about: 'a card tester, 2,000 attempts from 200 addresses in 5 minutes, and 20 honest donors',
    run: cardTester,
  },
  { number: 15, about: `${SOCKETS} slow sockets`, run: slowSenders },
];
