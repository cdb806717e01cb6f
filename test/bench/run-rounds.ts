import { createRandomGenerator } from '../../src/sandbox/data/random.ts';
import { measureCpuTimes, measureSlowTimes } from './measure-times.ts';
import { Results } from './results.ts';
import type { Stage } from './stage.ts';
import { LARGE_SIZE_NAMES, LARGE_SIZES, SUBJECTS } from './subjects.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** Measures a form in a new page and adds the numbers to the results. */
type Measurement = (results: Results) => Promise<void>;

/** Measures each form in each round, in random order. A first load of each form does not count. */
export async function runRounds(stage: Stage, rounds: number): Promise<Results> {
  const results = new Results();
  for (const subject of SUBJECTS) await measureCpuTimes(stage, subject);
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`Round ${round} of ${rounds}`);
    await runRound(stage, results);
  }
  return results;
}

async function runRound(stage: Stage, results: Results): Promise<void> {
  for (const measure of shuffle(listMeasurements(stage))) {
    results.measurements += 1;
    if (!(await waitUntilIdle())) results.busyMeasurements += 1;
    await measure(results);
  }
}

function listMeasurements(stage: Stage): Measurement[] {
  return SUBJECTS.flatMap((subject): Measurement[] => [
    async (results) => {
      const { untilReady, script, layout, total } = await measureCpuTimes(stage, subject);
      results.add('cpu', subject, untilReady);
      results.add('script', subject, script);
      results.add('layout', subject, layout);
      results.add('total cpu', subject, total);
    },
    async (results) => {
      const { ready, click, heap } = await measureSlowTimes(stage, subject);
      results.add('ready', subject, ready);
      results.add('click', subject, click);
      results.add('heap', subject, heap);
    },
    ...(subject.isScalable ? LARGE_SIZE_NAMES : []).map((name): Measurement => async (results) => {
      const { untilReady } = await measureCpuTimes(stage, subject, LARGE_SIZES[name]);
      results.add(name, subject, untilReady);
    }),
  ]);
}

const random = createRandomGenerator(1);

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
