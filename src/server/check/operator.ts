import type { Configuration } from '../../contract/configuration.ts';
import type { Readiness } from '../watch/readiness.ts';
import { ok, untried, wrong, type Finding } from './finding.ts';

const PATIENCE = 5_000;

/**
 * What a running server says of itself on the operator's listener; `undefined` where none answers.
 */
export async function askRunning(
  operator: Configuration['operator'],
): Promise<Readiness | undefined> {
  if (!operator) return undefined;
  try {
    const response = await fetch(`${addressOf(operator)}/readyz`, {
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (response.status !== 200 && response.status !== 503) return undefined;
    const said = (await response.json()) as Partial<Readiness> | null;
    return typeof said?.checks?.store === 'object' ? (said as Readiness) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the operator's listener is reached from this machine. */
export function addressOf({ host, port }: NonNullable<Configuration['operator']>): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

export async function checkOperator(
  operator: Configuration['operator'],
  key: string | undefined,
  running: Readiness | undefined,
): Promise<Finding[]> {
  if (!operator)
    return [
      untried(
        'operator',
        'the configuration names no operator\'s listener, so there are no metrics and no /readyz; add "operator": { "port": 4103 }',
      ),
    ];
  const about = "operator's key";
  const isOpen =
    operator.host !== '127.0.0.1' && operator.host !== 'localhost' && operator.host !== '::1';
  return [
    key === undefined
      ? isOpen
        ? wrong(
            about,
            `there is none, and ${operator.host} can be reached from elsewhere; name one in operator.key`,
          )
        : ok(about, 'there is none: what names donors or changes something is refused')
      : running && (await isRefused(operator, key))
        ? wrong(about, 'the running server has another one, that of its start; start it again')
        : ok(about, 'there is one'),
    running === undefined
      ? untried(
          'running server',
          `none answers on port ${operator.port} as this release does; this is so before the first start`,
        )
      : running.ready
        ? ok('running server', 'it is ready')
        : wrong(
            'running server',
            `it is not ready: ${Object.entries(running.checks)
              .filter(([, { state }]) => state === 'failing')
              .map(([name]) => name)
              .join(', ')}; see docs/runbook.md`,
          ),
  ];
}

/** Whether a running server has another key. */
async function isRefused(
  operator: NonNullable<Configuration['operator']>,
  key: string,
): Promise<boolean> {
  const { status } = await fetch(`${addressOf(operator)}/api/organizations`, {
    headers: { Authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  });
  return status === 401;
}
