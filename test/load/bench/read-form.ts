import { computeMedian } from '../../bench/statistics.ts';
import { renderTable } from '../report.ts';
import { fetchForm, openWorld } from '../world.ts';
import { ON_FIRST_CORE } from '../wrk.ts';
import {
  type BenchResult,
  computeRateRatios,
  formatInteger,
  formatSpread,
  getMedian,
  measureInRounds,
  measureRequests,
  startBareServer,
} from './measure.ts';

const CONNECTIONS = 32;
const SECONDS = 2;

/** Measures how many requests a second get a form's definition. */
export async function measureReadingForm(rounds: number): Promise<BenchResult> {
  await using world = await openWorld({ commandPrefix: ON_FIRST_CORE });
  const server = await world.startServer();
  const { etag } = await fetchForm(server.url);
  const bare = await startBareServer(world.folder, ['echo']);
  const requests = [
    { name: 'the framework returns a body of the same length', target: bare, headers: [] },
    { name: '`GET /form`', target: server, headers: [] },
    { name: '`GET /form`, gzip', target: server, headers: ['Accept-Encoding: gzip'] },
    {
      name: '`GET /form` with the current ETag: 304',
      target: server,
      headers: [`If-None-Match: ${etag}`],
    },
  ];
  const subjects = requests.map(({ name, target, headers }) => ({
    name,
    measure: () =>
      measureRequests([target], {
        urls: [`${target.url}/form`],
        connections: CONNECTIONS,
        seconds: SECONDS,
        headers,
      }),
  }));
  await measureInRounds(subjects, 1);
  const results = await measureInRounds(subjects, rounds);
  await bare.kill();
  const [baseline, , , notModified] = results;
  return {
    text: renderTable([
      ['request', 'per second', 'CPU time, µs', 'ratio to the first row'],
      ...subjects.map(({ name }, index) => [
        name,
        formatInteger(getMedian(results[index]!, 'rate')),
        formatInteger(getMedian(results[index]!, 'cpuTime')),
        index === 0 ? '' : formatSpread(computeRateRatios(results[index]!, baseline!)),
      ]),
    ]),
    goals: [
      {
        name: '304 responses ÷ the framework alone',
        limit: 0.6,
        measured: computeMedian(computeRateRatios(notModified!, baseline!)),
        isMinimum: true,
      },
    ],
  };
}
