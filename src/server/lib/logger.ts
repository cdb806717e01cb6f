import { pino } from 'pino';
import { ConfigurationError } from './configuration-error.ts';

interface Log {
  (message: string): void;
  (fields: object, message?: string): void;
}

/** What the server logs with. A logger of pino's is one. */
export interface Logger {
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

/**
 * All that a log line may carry, beside pino's own `level`, `time`, `pid`, `hostname` and `msg`.
 * None of them holds what a donor wrote.
 */
export const LOGGED_FIELDS = [
  // Of a request: its id, which the donor's error screen shows, what was asked and what came of it.
  'request',
  'method',
  'route',
  'status',
  'milliseconds',
  'organization',
  'problem',
  'reference',
  // Of something that went wrong: the names of errors and the places in the code, never their
  // messages.
  'error',
  'cause',
  'code',
  'reason',
  'at',
  'processorRequest',
  // Of a payment, and of what the platform is told.
  'provider',
  'paymentId',
  'state',
  'total',
  'currency',
  'event',
  'retryAt',
  // Of what a platform tells, and of what an organisation's own server is told, at which of its
  // addresses.
  'webhook',
  'kind',
  'address',
  // Of declines that are too many.
  'form',
  'declines',
  'onAllForms',
  // Of what waits of an organisation that the configuration does not have: `gifts`, and what its
  // platform is to know.
  'events',
  // Of donors' data that was deleted, by the references of their gifts, and of reports and daily
  // jobs.
  'deleted',
  'unnamed',
  'needed',
  'gifts',
  'days',
  'where',
  'job',
] as const;

/**
 * What JSON leaves as it is, and a terminal or a viewer of logs obeys: control characters,
 * direction overrides and other invisible marks, line ends of Unicode's own.
 */
const odd = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A line of JSON that says the same, with such characters escaped. */
function plainLine(line: string): string {
  return line.replace(odd, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * A log of one JSON line for each request and each trouble, to standard output; what is not on the
 * list of fields is left out, and no character does more than be seen.
 * @param level `LOG_LEVEL` of the environment; `info` without one.
 * @throws {ConfigurationError}
 */
export function createLog(level = 'info', destination?: { write(line: string): void }): Logger {
  if (!LEVELS.includes(level))
    throw new ConfigurationError(
      `the environment variable LOG_LEVEL: found ${JSON.stringify(level.slice(0, 40))}, expected one of ${LEVELS.join(', ')}; set it to one of them, or remove it`,
    );
  return pino(
    { level, formatters: { log: allowed }, hooks: { streamWrite: plainLine } },
    destination,
  );
}

function allowed(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    LOGGED_FIELDS.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]]])),
  );
}
