import type { Configuration } from '../../contract/configuration.ts';
import type { Readiness } from '../watch/readiness.ts';
import { ok, untried, wrong, type Finding } from './finding.ts';

const PATIENCE = 5_000;
const SHORTEST_KEY = 16;

/** What a running server says of itself on the operator's listener; `undefined` where none answers. */
export async function askRunning(operator: Configuration['operator']): Promise<Readiness | undefined> {
  if (!operator) return undefined;
  const host = operator.host === '0.0.0.0' || operator.host === '::' ? '127.0.0.1' : operator.host;
  try {
    const response = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${operator.port}/readyz`, { signal: AbortSignal.timeout(PATIENCE) });
    return await response.json() as Readiness;
  } catch {
    return undefined;
  }
}

export function checkOperator(operator: Configuration['operator'], key: string | undefined, running: Readiness | undefined): Finding[] {
  if (!operator) return [untried('operator', 'the configuration names no operator\'s listener, so there are no metrics and no /readyz; add "operator": { "port": 4103 }')];
  const about = 'operator\'s key', isOpen = operator.host !== '127.0.0.1' && operator.host !== 'localhost' && operator.host !== '::1';
  return [
    key === undefined ? (isOpen ? wrong(about, `there is none, and ${operator.host} can be reached from elsewhere; name one in operator.key`) : ok(about, 'there is none: what names donors or changes something is refused'))
      : key.length < SHORTEST_KEY ? wrong(about, `it has ${key.length} characters and can be guessed; make one: openssl rand -base64 24`) : ok(about, 'there is one'),
    running === undefined ? untried('running server', `none answers on port ${operator.port}; this is so before the first start`)
      : running.ready ? ok('running server', 'it is ready') : wrong('running server', `it is not ready: ${Object.entries(running.checks).filter(([, { state }]) => state === 'failing').map(([name]) => name).join(', ')}; see docs/runbook.md`),
  ];
}
