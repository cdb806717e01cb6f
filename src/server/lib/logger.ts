import { type LogFn, pino } from 'pino';
import { ConfigurationError } from './configuration-error.ts';
import { RepeatFolder } from './fold-repeats.ts';
import { escapeInvisibleCharacters, formatPrettyLine } from './pretty-line.ts';

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

/** Besides pino's `level`, `time`, `pid`, `hostname`, and `msg`. None contains donor input. */
export const LOGGED_FIELDS = [
  // Server start and stop.
  ['version', 'database', 'organizations', 'listeners', 'uptimeSeconds', 'requests', 'waitingFor'],
  // Number of repeats of a line.
  ['repeated'],
  // Requests. `request` is the ID in the donor's error message.
  ['request', 'method', 'route', 'status', 'milliseconds', 'organization', 'problem', 'reference'],
  // Errors, without messages that may quote donor input.
  ['error', 'cause', 'code', 'reason', 'at', 'providerRequest'],
  // Payments and platform calls.
  ['provider', 'paymentId', 'total', 'currency', 'event', 'retryAt'],
  // Inbound and outbound webhooks.
  ['webhook', 'kind', 'endpoint'],
  // Possible card testing.
  ['form', 'declines', 'onAllForms'],
  // Unfinished work for an organization that is not in the configuration.
  ['donations', 'events'],
  // Deleted personal data, reports, and daily jobs.
  ['deleted', 'notifyEmailRemoved', 'retained', 'days', 'side', 'job'],
].flat();

const LOGGED_NAMES: ReadonlySet<string> = new Set(['msg', ...LOGGED_FIELDS]);

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const FORMATS = ['json', 'pretty'];

const WARN = 40;
const ERROR = 50;

const needsLevel: unique symbol = Symbol.for('pino.metadata');

/**
 * Creates a logger that writes one line for each request and each problem. The logger drops fields
 * that are not in {@link LOGGED_FIELDS}, escapes invisible characters, and counts repeated warnings
 * and errors instead of writing each one.
 * @param level minimum level, such as the value of `LOG_LEVEL`; `info` by default.
 * @param destination stream that receives the lines; standard output by default.
 * @param format `json`, or `pretty` for human readers, such as the value of `LOG_FORMAT`. By
 *   default, `pretty` if standard output is a terminal.
 * @throws {ConfigurationError} if the level or format is unknown.
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
export function createLogger(
  level = 'info',
  destination?: { write(line: string): void },
  format = !destination && process.stdout.isTTY ? 'pretty' : 'json',
): Logger {
  assertKnownValue('LOG_LEVEL', level, LEVELS);
  assertKnownValue('LOG_FORMAT', format, FORMATS);
  const folder = new RepeatFolder();
  return pino(
    {
      level,
      formatters: { level: (label) => ({ level: label }), log: pickLoggedFields },
      hooks: {
        logMethod(args, log, lineLevel) {
          const fields = putMessageFirst(args);
          const write = (line: object): void => log.call(this, line);
          if (lineLevel >= WARN) folder.writeOrCount(fields, lineLevel >= ERROR, write);
          else write(fields);
        },
        streamWrite: format === 'pretty' ? formatPrettyLine : escapeInvisibleCharacters,
      },
    },
    destination ?? (standardOutput ??= createStandardOutput()),
  );
}

let standardOutput: LineWriter | undefined;

/** Pino passes the level of each line because of the symbol. */
interface LineWriter {
  readonly [needsLevel]: true;
  /** Of the line that is written next. */
  lastLevel: number;
  write(line: string): void;
}

/**
 * Writes the lines of an iteration of the event loop together, because a system call for each would
 * take a tenth of a busy server's CPU time. Writes warnings and errors immediately, because the
 * process may be about to crash.
 */
function createStandardOutput(): LineWriter {
  const output = pino.destination({ dest: 1, sync: true });
  let lines = '';
  let isExiting = false;
  const writeLines = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') output.write(text);
  };
  process.on('exit', () => {
    isExiting = true;
    writeLines();
  });
  return {
    [needsLevel]: true,
    lastLevel: 0,
    write(line) {
      if (lines === '') setImmediate(writeLines);
      lines += line;
      if (isExiting || this.lastLevel >= WARN) writeLines();
    },
  };
}

/** @throws {ConfigurationError} */
function assertKnownValue(variable: string, value: string, known: readonly string[]): void {
  if (!known.includes(value))
    throw new ConfigurationError(
      `The ${variable} environment variable is ${JSON.stringify(value.slice(0, 40))}; expected ` +
        `one of ${known.join(', ')}. Set the variable to one of these values, or remove it.`,
    );
}

/** Puts the message before the fields, because the stack frames are long. */
function putMessageFirst(args: Parameters<LogFn>): Record<string, unknown> {
  const [fields, message] = args as [object | string, string?];
  return typeof fields === 'string'
    ? { msg: fields }
    : { ...(message !== undefined && { msg: message }), ...fields };
}

function pickLoggedFields(line: Record<string, unknown>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name in line)
    if (LOGGED_NAMES.has(name) && line[name] !== undefined) picked[name] = line[name];
  return picked;
}
