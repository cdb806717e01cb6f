import type { Configuration } from '@donation-form/core/schemas';
import type { Readiness } from '../observability/readiness.ts';
import { ok, untried, wrong, type Finding } from '../lib/finding.ts';

type Operator = NonNullable<Configuration['operator']>;

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
export function addressOf({ host, port }: Operator): string {
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
  return [
    key === undefined ? checkNoKey(operator) : await checkKey(operator, key, running),
    checkRunning(operator, running),
  ];
}

const KEY = "operator's key";

function checkNoKey({ host }: Operator): Finding {
  const isOpen = host !== '127.0.0.1' && host !== 'localhost' && host !== '::1';
  return isOpen
    ? wrong(
        KEY,
        `there is none, and ${host} can be reached from elsewhere; name one in operator.key`,
      )
    : ok(KEY, 'there is none: what names donors or changes something is refused');
}

async function checkKey(
  operator: Operator,
  key: string,
  running: Readiness | undefined,
): Promise<Finding> {
  return running && (await isRefused(operator, key))
    ? wrong(KEY, 'the running server has another one, that of its start; start it again')
    : ok(KEY, 'there is one');
}

function checkRunning({ port }: Operator, running: Readiness | undefined): Finding {
  const about = 'running server';
  if (running === undefined)
    return untried(
      about,
      `none answers on port ${port} as this release does; this is so before the first start`,
    );
  if (running.ready) return ok(about, 'it is ready');
  const failing = Object.entries(running.checks)
    .filter(([, { state }]) => state === 'failing')
    .map(([name]) => name);
  return wrong(about, `it is not ready: ${failing.join(', ')}; see docs/runbook.md`);
}

/** Whether a running server has another key. */
async function isRefused(operator: Operator, key: string): Promise<boolean> {
  const { status } = await fetch(`${addressOf(operator)}/api/organizations`, {
    headers: { Authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  });
  return status === 401;
}
