import { computeMedian } from '../../bench/statistics.ts';
import { startPostgres } from '../../postgres.ts';
import { renderTable } from '../report.ts';
import { fetchForm, openWorld, type ServerProcess } from '../world.ts';
import {
  type BenchResult,
  computeRateRatios,
  createDonations,
  formatInteger,
  formatSpread,
  getMedian,
  measureInRounds,
  type Measurement,
  measureRequests,
  startBareServer,
  type UrlProcess,
} from './measure.ts';

const CONNECTIONS = 32;
const SECONDS = 3;

/**
 * Measures how many donations a second one and two servers with one PostgreSQL accept, on the same
 * two cores as the database and the donors.
 */
export async function measurePostgres(rounds: number): Promise<BenchResult> {
  const postgres = await startPostgres();
  try {
    await using world = await openWorld({ postgres, sandbox: { hourlyLimit: 1 } });
    const servers = [await world.startServer(), await world.startServer()];
    const bare = await startBareServer(world.folder, ['postgres', postgres.url], []);
    const donations = createDonations(await fetchForm(servers[0]!.url));
    /** Half of the connections go to each of two servers. */
    const measureServers = (
      targets: readonly (UrlProcess | ServerProcess)[],
    ): Promise<Measurement> =>
      measureRequests(targets, {
        urls: targets.map(({ url }) => url),
        connections: CONNECTIONS,
        seconds: SECONDS,
        donations,
      });
    const subjects = [
      {
        name: 'the framework inserts a row',
        measure: () => measureServers([bare]),
      },
      { name: '1 server', measure: () => measureServers(servers.slice(0, 1)) },
      { name: '2 servers', measure: () => measureServers(servers) },
    ];
    await measureInRounds(subjects, 1);
    const results = await measureInRounds(subjects, rounds);
    await bare.kill();
    const [baseline, one, two] = results as [Measurement[], Measurement[], Measurement[]];
    return {
      text: renderTable([
        [
          'PostgreSQL',
          'per second',
          'CPU time of the servers, µs per request',
          'p99, ms',
          'ratio to the first row',
        ],
        ...subjects.map(({ name }, index) => [
          name,
          formatInteger(getMedian(results[index]!, 'rate')),
          formatInteger(getMedian(results[index]!, 'cpuTime')),
          getMedian(results[index]!, 'p99').toFixed(1),
          index === 0 ? '' : formatSpread(computeRateRatios(results[index]!, baseline)),
        ]),
      ]),
      goals: [
        {
          name: 'PostgreSQL: 1 server ÷ inserts through the framework',
          limit: 0.5,
          measured: computeMedian(computeRateRatios(one, baseline)),
          isMinimum: true,
        },
        {
          name: 'PostgreSQL: 2 servers ÷ 1 server, on the same cores',
          limit: 1.1,
          measured: computeMedian(computeRateRatios(two, one)),
          isMinimum: true,
        },
      ],
    };
  } finally {
    postgres.stop();
  }
}
