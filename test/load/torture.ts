/**
 * `npm run torture` runs all on-demand bars; `npm run torture -- 1 10` runs bars 1 and 10. It prints
 * the figures with their targets, writes them to docs/evidence/reliability.md, and exits with 1 if a target
 * is missed.
 */
import { bars as clockSkew } from './clock-skew.ts';
import { bars as diskFull } from './disk-full.ts';
import type { Figure } from './figure.ts';
import { bars as hostile } from './hostile.ts';
import { bars as hourlyLimit } from './hourly-limit.ts';
import { bars as kills } from './kills.ts';
import { bars as manyDonations } from './many-donations.ts';
import { bars as monthlyDonations } from './monthly-donations.ts';
import { bars as oneCallPlatform } from './one-call-platform.ts';
import { type BarResult, renderBar } from './render-bar.ts';
import { replaceBetweenMarkers } from './report.ts';

const bars = [
  ...kills,
  ...diskFull,
  ...manyDonations,
  ...hourlyLimit,
  ...monthlyDonations,
  ...oneCallPlatform,
  ...hostile,
  ...clockSkew,
];
const args = process.argv.slice(2);
const selected = bars.filter(({ number }) => args.length === 0 || args.includes(String(number)));
const unknown = args.find((arg) => !bars.some(({ number }) => String(number) === arg));
if (unknown !== undefined)
  throw new Error(
    `There is no bar ${unknown}; expected some of ${bars.map(({ number }) => number).join(', ')}`,
  );

const results: BarResult[] = [];
for (const bar of selected) {
  console.log(`bar ${bar.number}: ${bar.description} …`);
  const start = performance.now();
  const figures = await bar
    .run()
    .catch((error: unknown): Figure[] => [
      { label: (error as Error).message, value: 'failed', target: 'completes', isMet: false },
    ]);
  results.push({ bar, figures, seconds: (performance.now() - start) / 1_000 });
}

for (const result of results) {
  const text = renderBar(result);
  console.log(`\n${text}`);
  await replaceBetweenMarkers('docs/evidence/reliability.md', `bar ${result.bar.number}`, text);
}
process.exitCode = results.every(({ figures }) => figures.every(({ isMet }) => isMet)) ? 0 : 1;
