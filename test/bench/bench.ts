/**
 * `npm run bench` measures the form beside four other implementations: how long a page needs until
 * it shows a form, how much CPU time and memory that takes, what it downloads, and how long that takes
 * on a slow network. Exits with code 1 if the form misses a goal.
 *
 * Usage: npm run bench [-- --rounds 7 --runs 3]
 */
import { parseArgs } from 'node:util';
import { formatMarkdown } from '../../scripts/format-markdown.ts';
import { replaceBetweenMarkers } from '../load/report.ts';
import { combineRuns, isGoalMet } from './goals.ts';
import { type Delivery, measureDelivery } from './measure-delivery.ts';
import { measureNetworks } from './measure-network.ts';
import { listGoals, renderDetails, renderReport, type Report } from './render-report.ts';
import { runRounds } from './run-rounds.ts';
import { Stage } from './stage.ts';
import { type Subject, SUBJECTS } from './subjects.ts';

const DEFAULTS = { rounds: 7, runs: 3 };
const EVIDENCE = 'docs/evidence/performance.md';

/** @throws {Error} if an option is not a positive integer. */
function readOptions(): typeof DEFAULTS {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, runs: { type: 'string' } },
  });
  const readCount = (name: keyof typeof DEFAULTS): number => {
    const count = Number(values[name] ?? DEFAULTS[name]);
    if (!Number.isInteger(count) || count < 1)
      throw new Error(`--${name} is "${values[name]}"; expected a positive integer, such as 3.`);
    return count;
  };
  return { rounds: readCount('rounds'), runs: readCount('runs') };
}

async function measureForms(rounds: number): Promise<Report> {
  await using stage = await Stage.open();
  const deliveries = new Map<Subject, Delivery>();
  for (const subject of SUBJECTS) deliveries.set(subject, await measureDelivery(stage, subject));
  const results = await runRounds(stage, rounds);
  return { rounds, deliveries, results, network: await measureNetworks(stage, rounds) };
}

const { rounds, runs } = readOptions();
const reports: Report[] = [];
for (let run = 0; run < runs; run += 1) {
  const report = await measureForms(rounds);
  console.log(`${renderDetails(report)}\n`);
  reports.push(report);
}
const text = renderReport(reports);
console.log(text);
// A short run only prints its numbers.
if (rounds >= DEFAULTS.rounds && runs >= DEFAULTS.runs)
  await replaceBetweenMarkers(EVIDENCE, 'bench', (await formatMarkdown(text)).trimEnd());
process.exitCode = combineRuns(reports.map(listGoals)).every(isGoalMet) ? 0 : 1;
