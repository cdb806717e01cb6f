import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { cleanLine } from '@donation-form/core/donor';
import { formatList } from '@donation-form/core/i18n';

const MAX_QUOTED_LENGTH = 60;
/** Maximum edit distance of a suggested field name. */
const MAX_NAME_DISTANCE = 3;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string in quotes',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object, { … }',
  record: 'an object, { … }',
  array: 'a list, [ … ]',
  tuple: 'a list, [ … ], with at least one entry',
};

const EXPECTED_EMAIL = 'expected an email address such as give@example.org';

/** By Zod's `origin`. */
const COUNTED_UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
};

/** What a Zod schema was made from. */
interface Definition {
  readonly shape?: object;
  readonly format?: string;
}

/** For issues without a custom message in the schema. */
export function describeExpectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (getDefinition(issue.inst).format === 'email') return EXPECTED_EMAIL;
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'expected a non-empty string'
        : `expected at least ${issue.minimum}${COUNTED_UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${COUNTED_UNITS[issue.origin] ?? ''}`;
    case 'invalid_format':
      return issue.format === 'email'
        ? EXPECTED_EMAIL
        : `expected a value in the format ${issue.format}`;
    case 'invalid_value':
      return `expected ${listValues(issue.values.map(String))}`;
    case 'invalid_union':
      return 'discriminator' in issue
        ? `found ${describeValue(issue.path ?? [], getOwnValue(issue.input, String(issue.discriminator)))}; ` +
            `expected ${listValues(issue.options as readonly string[])}`
        : undefined;
    case 'unrecognized_keys':
      return describeUnknownFields(issue.keys, listFieldNames(issue.inst));
    default:
      return undefined;
  }
}

/** Lists valid values: `USD`, or `one of once, monthly`. */
function listValues(values: readonly string[]): string {
  return values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
}

/**
 * Each line has the path, the value found, and the expected value.
 * @param json the whole input, because rules about several fields report only their common parent.
 */
export function formatIssues(issues: readonly z.core.$ZodIssue[], json: unknown): string[] {
  return issues.map(getInnermostIssue).map(({ code, path, message }) => {
    if (code === 'unrecognized_keys' && isSecretPlace(path))
      return `${path.join('.')}: found an unknown field; expected only "env" or "file"`;
    const input = path.reduce<unknown>((value, step) => getOwnValue(value, step), json);
    // Zod reports an empty list as a missing first entry if the list must not be empty.
    if (input === undefined && typeof path.at(-1) === 'number')
      return `${path.slice(0, -1).join('.')}: found an empty list; expected at least one entry`;
    return (
      `${path.join('.') || 'the top level'}: ` +
      (message.startsWith('found ') ? message : `found ${describeValue(path, input)}; ${message}`)
    );
  });
}

function describeUnknownFields(
  unknownNames: readonly string[],
  knownNames: readonly string[],
): string {
  const suggestions = unknownNames
    .map((name) => closest(name, knownNames))
    .filter(
      (name, index) =>
        distance(name.toLowerCase(), unknownNames[index]!.toLowerCase()) <= MAX_NAME_DISTANCE,
    );
  const hint =
    suggestions.length > 0
      ? `Did you mean ${formatList(suggestions.map((name) => JSON.stringify(name)))}? `
      : '';
  return (
    `found the unknown ${unknownNames.length === 1 ? 'field' : 'fields'} ` +
    `${formatList(unknownNames.map(quoteValue))}. ${hint}Valid fields are ${formatList(knownNames)}`
  );
}

function listFieldNames(schema: unknown): string[] {
  return Object.keys(getDefinition(schema).shape ?? {});
}

function getDefinition(schema: unknown) {
  const { def = {} } =
    (schema as { readonly _zod?: { readonly def?: Definition } } | undefined)?._zod ?? {};
  return def;
}

/** For a union mismatch, returns a nested issue of the union member that matches best. */
function getInnermostIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const nested = [...issue.errors]
    .sort((a, b) => a.length - b.length)
    .flat()
    .map(getInnermostIssue)
    .find(({ path }) => path.length > 0);
  return nested ? { ...nested, path: [...issue.path, ...nested.path] } : issue;
}

const isSecretPlace = (path: readonly PropertyKey[]): boolean =>
  path.some((step) => /key|password|secret|url/i.test(String(step)));

/** Hides a value that may be a misplaced secret. */
function describeValue(path: readonly PropertyKey[], input: unknown): string {
  if (input === undefined) return 'nothing';
  if (input === '') return 'an empty string';
  if (Array.isArray(input))
    return input.length === 0 ? 'an empty list' : `a list of length ${input.length}`;
  if (typeof input === 'object' && input !== null && isSecretPlace(path)) return 'an object';
  if (typeof input === 'object' && input !== null)
    return `an object with ${formatList(Object.keys(input).map(quoteValue)) || 'no fields'}`;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const mayBeSecret =
    !path.includes('origins') &&
    (isSecretPlace(path) || /^(sk|rk|pk|whsec)_|^[\w+/=.-]{24,}$/.test(text));
  return mayBeSecret
    ? `a string of ${text.length} characters (hidden because it may be a secret)`
    : quoteValue(input);
}

function quoteValue(value: unknown): string {
  const text = cleanLine(JSON.stringify(value));
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…"` : text;
}

function getOwnValue(object: unknown, name: PropertyKey): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Readonly<Record<PropertyKey, unknown>>)[name]
    : undefined;
}

/** V8 quotes this many characters before an unexpected token. */
const SNIPPET_OFFSET = 10;

/** Omits V8's message, which may quote a secret. */
export function locateJsonError(text: string, error: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(error.message) ?? [];
  if (line !== undefined) return `line ${line}, column ${column}`;
  const [, token = '', dots, snippet] =
    /^Unexpected token '([\s\S])', (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(
      error.message,
    ) ?? [];
  const at =
    snippet === undefined
      ? text.length
      : text.indexOf(snippet) + (dots === undefined ? snippet.indexOf(token) : SNIPPET_OFFSET);
  return `line ${text.slice(0, at).split('\n').length}`;
}
