/**
 * `npm run torture` tries every bar that is tried on demand; `npm run torture -- 1 10` those that
 * are named. It prints a table of figure against target,
 * and writes the figures of each into docs/reliability.md. Exits with 1 where a target was missed.
 */
import type { Bar, Figure } from './bar.ts';
import { bars as diskFull } from './disk-full.ts';
import { bars as hostile } from './hostile.ts';
import { bars as hourlyLimit } from './hourly-limit.ts';
import { bars as kills } from './kills.ts';
import { bars as manyGifts } from './many-gifts.ts';
import { machine, table, writeBetween } from './report.ts';

interface Tried {
  readonly bar: Bar;
  readonly figures: readonly Figure[];
  readonly seconds: number;
}

const bars = [...kills, ...diskFull, ...manyGifts, ...hourlyLimit, ...hostile];
const named = process.argv.slice(2);
const chosen = bars.filter(({ number }) => named.length === 0 || named.includes(String(number)));
const unknown = named.find((word) => !bars.some(({ number }) => String(number) === word));
if (unknown !== undefined)
  throw new Error(
    `no bar ${unknown}; expected some of ${bars.map(({ number }) => number).join(', ')}`,
  );

const tried: Tried[] = [];
for (const bar of chosen) {
  console.log(`bar ${bar.number}: ${bar.about} …`);
  const began = performance.now();
  const figures = await bar
    .run()
    .catch((error: unknown): Figure[] => [
      { what: (error as Error).message, figure: 'not reached', target: 'an end', isMet: false },
    ]);
  tried.push({ bar, figures, seconds: (performance.now() - began) / 1_000 });
}

for (const { bar, figures, seconds } of tried) {
  const rows = figures.map(({ what, figure, target, isMet }) => [
    what,
    figure,
    target,
    isMet ? 'met' : '**missed**',
  ]);
  const text = `**Bar ${bar.number}**, ${bar.about}: ${seconds.toFixed(0)} s. ${machine()}\n\n${table([['what', 'figure', 'target', ''], ...rows])}`;
  console.log(`\n${text}`);
  await writeBetween('docs/reliability.md', `bar ${bar.number}`, text);
}
process.exitCode = tried.every(({ figures }) => figures.every(({ isMet }) => isMet)) ? 0 : 1;
