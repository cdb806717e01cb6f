/** Runs the load generator `wrk` (Debian package `wrk`) on the second core. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Prefix of the command of a server under test: it runs on the first core. */
export const ON_FIRST_CORE = ['taskset', '-c', '0'] as const;
const ON_SECOND_CORE = ['-c', '1'] as const;

export interface WrkOptions {
  /** Each server gets the same share of the connections. */
  readonly urls: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Request headers, such as `If-None-Match: "x"`. */
  readonly headers?: readonly string[];
  /** Sends these donations instead of GET requests. */
  readonly donations?: {
    /** JSON of a donation by "Souza 0" with the email "ana.0@…". */
    readonly body: string;
    readonly origin: string;
  };
}

export interface WrkResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
}

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };
const execute = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('donations.lua', import.meta.url));

let seed = 0;

/**
 * Sends requests to one or more servers at the same time.
 * @throws {Error} if a response has an unexpected status, or `wrk` is not installed.
 */
export async function runWrk({ urls, connections, ...options }: WrkOptions): Promise<WrkResult> {
  const results = await Promise.all(
    urls.map((url) =>
      runProcess({ ...options, url, connections: Math.ceil(connections / urls.length) }),
    ),
  );
  const sum = (key: keyof WrkResult): number =>
    results.reduce((total, result) => total + result[key], 0);
  return {
    requests: sum('requests'),
    requestsPerSecond: sum('requestsPerSecond'),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}

async function runProcess({
  url,
  connections,
  seconds,
  headers = [],
  donations,
}: Omit<WrkOptions, 'urls'> & { readonly url: string }): Promise<WrkResult> {
  seed += 1;
  const { stdout, stderr } = await execute(
    'taskset',
    [
      ...ON_SECOND_CORE,
      'wrk',
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      '--latency',
      ...headers.flatMap((header) => ['--header', header]),
      ...(donations ? ['--script', SCRIPT] : []),
      url,
    ],
    {
      env: {
        ...process.env,
        ...(donations && {
          DONATION_BODY: donations.body,
          DONATION_ORIGIN: donations.origin,
          DONATION_SEED: String(seed),
        }),
      },
    },
  ).catch((cause: unknown) => {
    throw new Error('Cannot run wrk. Run apt-get install wrk.', { cause });
  });
  if (stdout.includes('Non-2xx or 3xx responses')) throw new Error(`${url}: ${stdout}${stderr}`);
  const [, p99, unit] = /\n +99% +([\d.]+)(us|ms|s|m)/.exec(stdout)!;
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)![1]),
    requestsPerSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)![1]),
    p99: Number(p99) * MILLISECONDS[unit!]!,
  };
}
