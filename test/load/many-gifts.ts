/** Bar 9: memory and database over many gifts. */
import { ask, audit, count, drained } from './audit.ts';
import { atMost, exactly, none, type Bar, type Figure } from './bar.ts';
import { collect } from './collect.ts';
import { give, type Told } from './donors.ts';
import { startLoad } from './load.ts';
import { openWorld, seeForm } from './world.ts';

interface Amount {
  readonly promised: number;
  readonly byCard: number;
}

const WARM_UP: Amount = { promised: 20_000, byCard: 2_000 };
const MANY: Amount = { promised: 45_000, byCard: 5_000 };
const DONORS = 16;
/**
 * How many times as fast as the machine's the server's clock is: the guard counts a donor for ten
 * minutes, in memory, and is to forget the first ones before the last ones come.
 */
const SPEED = 20;
const PATIENCE = 3_600_000;
const MEGABYTE = 2 ** 20;

const sum = ({ promised, byCard }: Amount): number => promised + byCard;
const written = (number: number): string => number.toLocaleString('en');

async function manyGifts(): Promise<readonly Figure[]> {
  await using world = await openWorld({
    sandbox: { clock: `${Date.now()},${Date.now()},${SPEED}` },
    under: ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0'],
  });
  const { address, memory, said } = await world.serve();
  const { database, sandbox } = world;
  const seen = await seeForm(address);
  const load = startLoad();
  const given = async ({ promised, byCard }: Amount): Promise<Told[]> => {
    const byCards = give({
      addresses: [address],
      seen,
      tokens: sandbox.tokens,
      gifts: byCard,
      donors: DONORS,
    });
    const { answered, failed } = await load.send({
      addresses: [address],
      seen,
      donors: DONORS,
      milliseconds: PATIENCE,
      most: promised,
    });
    if (failed > 0) throw new Error(`${failed} of ${answered + failed} gifts failed`);
    const told = await byCards;
    await drained(database, PATIENCE);
    return told;
  };
  /**
   * Without what the runtime has not collected yet: with much memory in the machine it lets
   * hundreds of megabytes lie.
   */
  const needed = async (): Promise<number> => {
    await collect(said());
    return memory();
  };
  try {
    const first = await given(WARM_UP);
    const before = await needed();
    const told = [...first, ...(await given(MANY))];
    const after = await needed();
    const all = sum(WARM_UP) + sum(MANY);
    const witness = await sandbox.witness();
    return [
      atMost(
        `memory, garbage collected, after ${written(all)} gifts, ${Math.round(after / MEGABYTE)} MB, beyond that after ${written(sum(WARM_UP))}, ${Math.round(before / MEGABYTE)} MB`,
        (after / before - 1) * 100,
        10,
        '%',
      ),
      none(
        "complaints of the database's integrity check",
        (await ask(database, 'PRAGMA integrity_check')).filter(
          (row) => row.integrity_check !== 'ok',
        ).length,
      ),
      exactly('gifts kept', await count(database, 'donations'), all),
      none(
        'rows stuck',
        (await count(database, `donations WHERE status NOT IN ('processing', 'succeeded')`)) +
          (await count(database, `outbox WHERE status <> 'delivered'`)),
      ),
      exactly('gifts that the platform knows', Object.keys(witness.gifts).length, all),
      ...(await audit(database, told, witness)),
    ];
  } finally {
    load.stop();
  }
}

export const bars: readonly Bar[] = [
  {
    number: 9,
    about: `${written(sum(MANY))} gifts, ${written(MANY.byCard)} of them by card, after ${written(sum(WARM_UP))} to warm up; the server's clock ${SPEED} times as fast`,
    run: manyGifts,
  },
];
