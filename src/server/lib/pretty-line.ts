import { styleText } from 'node:util';

interface Line extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly time: number;
  readonly msg?: string;
  readonly at?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly milliseconds?: number;
}

/** These have a fixed position or are omitted. */
const SHOWN_FIRST = ['level', 'time', 'msg', 'at', 'pid', 'hostname'];
/** Shown in place of a message. */
const REQUEST_FIELDS = ['method', 'route', 'status', 'milliseconds'];

const LEVEL_STYLES = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
} as const satisfies Readonly<Record<string, Parameters<typeof styleText>[0]>>;

/** Formats a JSON log line for human readers. Uses colors only in a terminal without `NO_COLOR`. */
export function formatPrettyLine(json: string): string {
  const line = JSON.parse(json) as Line;
  const { level, msg, at, method, route, status, milliseconds } = line;
  const time = new Date(line.time).toTimeString().slice(0, 8);
  const isRequest = msg === undefined && method !== undefined;
  const message = isRequest ? `${method} ${route} ${status} ${milliseconds}ms` : (msg ?? '');
  const hiddenFields = isRequest ? [...SHOWN_FIRST, ...REQUEST_FIELDS] : SHOWN_FIRST;
  const fields = Object.entries(line)
    .filter(([name]) => !hiddenFields.includes(name))
    .map(([name, value]) => styleText('dim', `${name}=`) + formatValue(value));
  const frames = at === undefined ? '' : `\n${at.replaceAll(/^/gm, '    ')}`;
  const head = [time, styleLevel(level), escapeInvisibleCharacters(message), ...fields].join('  ');
  return `${head}${escapeInvisibleCharacters(frames)}\n`;
}

function styleLevel(level: string): string {
  const style = level in LEVEL_STYLES ? LEVEL_STYLES[level as keyof typeof LEVEL_STYLES] : 'dim';
  return styleText(style, level.padEnd(5));
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(',');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.:/@+%-]+$/.test(text) ? text : escapeInvisibleCharacters(JSON.stringify(text));
}

/** JSON does not escape these characters, which terminals and log viewers interpret. */
const INVISIBLE_CHARACTERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Keeps line feeds. */
export function escapeInvisibleCharacters(line: string): string {
  return line.replace(INVISIBLE_CHARACTERS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
