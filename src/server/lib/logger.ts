import { pino, type LogFn } from 'pino';
import { ConfigurationError } from './configuration-error.ts';

interface LogMethod {
  (message: string): void;
  (fields: object, message?: string): void;
}

/** The server's logger. Compatible with pino. */
export interface Logger {
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

/**
 * Fields that a log line may contain, in addition to pino's `level`, `time`, `pid`, `hostname`, and
 * `msg`. None of them contains what a donor entered.
 */
export const LOGGED_FIELDS = [
  // Start of the server.
  'version',
  'database',
  'organizations',
  // Requests. The donor's error message shows `request`, the ID.
  'request',
  'method',
  'route',
  'status',
  'milliseconds',
  'organization',
  'problem',
  'reference',
  // Errors, described by their classes and stack frames, never by their messages.
  'error',
  'cause',
  'code',
  'reason',
  'at',
  'providerRequest',
  // Payments, and platform calls about them.
  'provider',
  'paymentId',
  'status',
  'total',
  'currency',
  'event',
  'retryAt',
  // Inbound and outbound webhooks.
  'webhook',
  'kind',
  'endpoint',
  // Signs of card testing.
  'form',
  'declines',
  'onAllForms',
  // Unfinished work of an organization that is not in the configuration.
  'donations',
  'events',
  // Deleted personal data, reports, and daily jobs.
  'deleted',
  'notifyEmailRemoved',
  'retained',
  'days',
  'side',
  'job',
] as const;

/**
 * Characters that JSON does not escape but terminals and log viewers interpret: control characters,
 * direction overrides and other invisible characters, and Unicode line separators.
 */
const INVISIBLE_CHARACTERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters in a line of JSON. */
function escapeInvisibleCharacters(line: string): string {
  return line.replace(INVISIBLE_CHARACTERS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Creates a logger that writes one line of JSON for each request and each problem. It drops fields
 * that are not in {@link LOGGED_FIELDS}, and escapes invisible characters.
 * @param level the environment variable `LOG_LEVEL`; `info` by default.
 * @param destination receives the lines; standard output by default.
 * @throws {ConfigurationError} if the level is unknown.
 *
 * @example
 * ```ts
 * import { createLogger } from 'donation-form-server';
 *
 * const lines: string[] = [];
 * const log = createLogger('warn', { write: (line) => lines.push(line) });
 * log.info('not logged');
 * log.warn({ job: 'retention' }, 'a daily job failed');
 * console.log(JSON.parse(lines[0]!).msg); // a daily job failed
 * ```
 */
export function createLogger(level = 'info', destination?: { write(line: string): void }): Logger {
  if (!LEVELS.includes(level))
    throw new ConfigurationError(
      `The environment variable LOG_LEVEL is ${JSON.stringify(level.slice(0, 40))}; expected ` +
        `one of ${LEVELS.join(', ')}. Set it to one of them, or remove it.`,
    );
  return pino(
    {
      level,
      formatters: { level: (label) => ({ level: label }), log: pickLoggedFields },
      hooks: { logMethod: logMessageBeforeFields, streamWrite: escapeInvisibleCharacters },
    },
    destination,
  );
}

/** Writes the message before the fields, because the stack frames are long. */
function logMessageBeforeFields(
  this: unknown,
  [fields, message]: Parameters<LogFn> | [object | string, string?],
  log: LogFn,
): void {
  log.call(
    this,
    typeof fields === 'string'
      ? { msg: fields }
      : { ...(message !== undefined && { msg: message }), ...(fields as object) },
  );
}

function pickLoggedFields(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    ['msg', ...LOGGED_FIELDS].flatMap((name) =>
      line[name] === undefined ? [] : [[name, line[name]]],
    ),
  );
}
