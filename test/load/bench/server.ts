/**
 * `npm run bench:server` measures the server beside baselines on the same framework and disk, and
 * writes docs/evidence/scale.md. `npm run bench:server -- accept start` measures only some parts, and writes
 * nothing. Needs `wrk` and PostgreSQL. Exits with 1 if a goal is missed.
 */
import { describeMachine, replaceBetweenMarkers } from '../report.ts';
import { measureAccepting } from './accept.ts';
import { measureGrowth } from './growth.ts';
import type { BenchResult } from './measure.ts';
import { isGoalMet, renderGoals } from '../../bench/goals.ts';
import { measurePostgres } from './postgres.ts';
import { measureReadingForm } from './read-form.ts';
import { measureRecording } from './recording.ts';
import { measureStart } from './start.ts';

const ROUNDS = 7;

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

const results: BenchResult[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const result = await measure(ROUNDS);
  results.push(result);
  console.log(`${result.text}\n\n${renderGoals(result.goals)}\n`);
}
if (names.length === 0) {
  const goals = results.flatMap((result) => result.goals);
  const texts = [describeMachine(), ...results.map(({ text }) => text), renderGoals(goals)];
  await replaceBetweenMarkers('docs/evidence/scale.md', 'bench', texts.join('\n\n'));
}
process.exitCode = results.every(({ goals }) => goals.every(isGoalMet)) ? 0 : 1;
