/**
 * `npm run bench` measures the form beside four other implementations: how long a page needs until
 * it shows a form, how much CPU time and memory that takes, what it downloads, and how long that takes
 * on a slow network. Exits with code 1
 * if the form misses a goal.
 *
 * Usage: npm run bench [-- --rounds 7]
 */
import { parseArgs } from 'node:util';
import { formatMarkdown } from '../../scripts/format-markdown.ts';
import { replaceBetweenMarkers } from '../load/report.ts';
import { isGoalMet } from './goals.ts';
import { measureDelivery, type Delivery } from './measure-delivery.ts';
import { measureNetworks } from './measure-network.ts';
import { listGoals, renderReport, type Report } from './render-report.ts';
import { runRounds } from './run-rounds.ts';
import { Stage } from './stage.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

const DEFAULT_ROUNDS = 7;
const EVIDENCE = 'docs/evidence/performance.md';

/** @throws {Error} if the option is not a positive integer. */
function readRounds(): number {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: String(DEFAULT_ROUNDS) } },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds is "${values.rounds}"; expected a positive integer, such as 7.`);
  return rounds;
}

async function measureForms(rounds: number): Promise<Report> {
  await using stage = await Stage.open();
  const deliveries = new Map<Subject, Delivery>();
  for (const subject of SUBJECTS) deliveries.set(subject, await measureDelivery(stage, subject));
  const results = await runRounds(stage, rounds);
  return { rounds, deliveries, results, network: await measureNetworks(stage, rounds) };
}

const report = await measureForms(readRounds());
const text = renderReport(report);
console.log(text);
// A short run only prints its numbers.
if (report.rounds >= DEFAULT_ROUNDS)
  await replaceBetweenMarkers(EVIDENCE, 'bench', (await formatMarkdown(text)).trimEnd());
process.exitCode = listGoals(report).every(isGoalMet) ? 0 : 1;
