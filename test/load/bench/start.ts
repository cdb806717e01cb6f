import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { computeMedian } from '../../bench/statistics.ts';
import { renderTable } from '../report.ts';
import { openWorld } from '../world.ts';
import { type BenchResult, formatInteger } from './measure.ts';

const COMMAND = fileURLToPath(
  new URL('../../../dist/donation-form-server/lib/cli.js', import.meta.url),
);
/** Time after which an idle server's memory is measured, in milliseconds. */
const IDLE_TIME = 1_500;

/** Measures how long the server takes until it listens, and the command until it prints its help. */
export async function measureStart(rounds: number): Promise<BenchResult> {
  await using world = await openWorld();
  const starts: { time: number; cpuTime: number; memory: number }[] = [];
  const helpTimes: number[] = [];
  const nodeTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = Date.now();
    const server = await world.startServer();
    const time = readListenTime(server.readOutput()) - startedAt;
    const cpuTime = server.readCpuTime();
    await setTimeout(IDLE_TIME);
    starts.push({ time, cpuTime, memory: server.readMemory() / 2 ** 20 });
    await server.terminate();
    helpTimes.push(measureRun([COMMAND, '--help']));
    nodeTimes.push(measureRun(['--eval', '0']));
  }
  const start = computeMedian(starts.map(({ time }) => time));
  const help = computeMedian(helpTimes);
  const formatMedian = (key: 'cpuTime' | 'memory'): string =>
    formatInteger(computeMedian(starts.map((one) => one[key])));
  return {
    text: renderTable([
      ['command', 'ms', 'CPU time, ms', 'idle memory, MiB'],
      [
        '`serve`, until it listens',
        formatInteger(start),
        formatMedian('cpuTime'),
        formatMedian('memory'),
      ],
      ['`--help`', formatInteger(help), '', ''],
      ['`node --eval 0`', formatInteger(computeMedian(nodeTimes)), '', ''],
    ]),
    goals: [
      { name: 'startup of `serve`, ms', limit: 200, measured: start },
      { name: '`donation-form --help`, ms', limit: 80, measured: help },
    ],
  };
}

/** Returns the time at which the server logged that it listens, in milliseconds since 1970. */
function readListenTime(output: string): number {
  const line = output.split('\n').find((text) => text.includes('"msg":"started"'));
  return (JSON.parse(line!) as { readonly time: number }).time;
}

/** Runs Node and returns how long it took, in milliseconds. */
function measureRun(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}
