/**
 * `npm run bench:server` measures the server three times beside baselines on the same framework and
 * disk, prints all numbers, and writes the main ones to docs/evidence/scale.md. `npm run bench:server
 * -- accept start` measures only some parts, once, and writes nothing. Needs `wrk` and PostgreSQL.
 * Exits with 1 if a goal is missed.
 */
import { formatMarkdown } from '../../../scripts/format-markdown.ts';
import { combineRuns, isGoalMet, renderGoals } from '../../bench/goals.ts';
import { describeMachine, replaceBetweenMarkers } from '../report.ts';
import { measureAccepting } from './accept.ts';
import { measureGrowth } from './growth.ts';
import type { BenchResult } from './measure.ts';
import { measurePostgres } from './postgres.ts';
import { measureReadingForm } from './read-form.ts';
import { measureRecording } from './recording.ts';
import { measureStart } from './start.ts';

const ROUNDS = 7;
const RUNS = 3;

const PARTS: Readonly<Record<string, (rounds: number) => Promise<BenchResult>>> = {
  accept: measureAccepting,
  postgres: measurePostgres,
  record: measureRecording,
  growth: measureGrowth,
  form: measureReadingForm,
  start: measureStart,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in PARTS));
if (unknown !== undefined)
  throw new Error(`Unknown part: ${unknown}. Choose from ${Object.keys(PARTS).join(', ')}.`);

const runs: BenchResult[][] = [];
for (let run = 0; run < (names.length === 0 ? RUNS : 1); run += 1) {
  const results: BenchResult[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const result = await measure(ROUNDS);
    results.push(result);
    console.log(`${result.text}\n\n${renderGoals(result.goals)}\n`);
  }
  runs.push(results);
}
const goals = combineRuns(runs.map((results) => results.flatMap((result) => result.goals)));
if (names.length === 0) {
  const texts = [
    describeMachine(),
    `Median of ${RUNS} runs, with the lowest and the highest:`,
    renderGoals(goals),
    'The server and the baselines in the last run:',
    runs.at(-1)![0]!.text,
  ];
  const text = await formatMarkdown(texts.join('\n\n'));
  await replaceBetweenMarkers('docs/evidence/scale.md', 'bench', text.trimEnd());
}
process.exitCode = goals.every(isGoalMet) ? 0 : 1;
