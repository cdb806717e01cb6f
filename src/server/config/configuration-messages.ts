import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { cleanLine } from '@donation-form/core/donor';

const LONGEST_SHOWN = 60;
/** How many letters an unknown name may differ in from the one that was meant. */
const FARTHEST = 3;

/** What is expected where a value is of another kind, by zod's names of kinds. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object, { … }',
  record: 'an object, { … }',
  array: 'a list, [ … ]',
  tuple: 'a list, [ … ], with at least one entry',
};

/** What of is counted, where there are too few or too many. */
const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** What a schema expects that says nothing of it in its own words. */
export function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'expected something written here'
        : `expected ${issue.minimum}${COUNTED[issue.origin] ?? ''} or more`;
    case 'too_big':
      return `expected ${issue.maximum}${COUNTED[issue.origin] ?? ''} at most`;
    case 'invalid_format':
      return issue.format === 'email'
        ? 'expected an e-mail address'
        : `expected another form (${issue.format})`;
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}`;
    case 'invalid_union':
      return 'discriminator' in issue
        ? `found ${shown(valueOf(issue.input, String(issue.discriminator)) ?? 'nothing')}, expected ${(issue.options as readonly string[]).join(' or ')}`
        : undefined;
    case 'unrecognized_keys':
      return unknownFields(issue.keys, knownTo(issue.inst));
    default:
      return undefined;
  }
}

/**
 * What is wrong with a file's values, a line each: the place, what was found and what was expected.
 */
export function inWords(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map(innermost).map(({ path, message, input }) => {
    // Of a list that must have an entry, zod finds the first one missing.
    if (input === undefined && typeof path.at(-1) === 'number')
      return `${path.slice(0, -1).join('.')}: expected at least one entry; found an empty list`;
    return `${path.join('.') || 'the whole file'}: ${message.startsWith('found ') ? message : `${message}; found ${finding(path, input)}`}`;
  });
}

function unknownFields(found: readonly string[], known: readonly string[]): string {
  const meant = found
    .map((name) => closest(name, known))
    .filter((name, index) => distance(name.toLowerCase(), found[index]!.toLowerCase()) <= FARTHEST);
  return `found ${found.map(shown).join(', ')}, expected ${meant.length > 0 ? `${meant.map((name) => JSON.stringify(name)).join(', ')}?` : 'none of that name.'} The fields here are ${known.join(', ')}`;
}

/** The names of an object's fields. */
function knownTo(schema: unknown): string[] {
  const { def } =
    (schema as { readonly _zod?: { readonly def: { readonly shape?: object } } } | undefined)
      ?._zod ?? {};
  return Object.keys(def?.shape ?? {});
}

/**
 * Of a value that fits none of several shapes: what is wrong inside the shape that it fits best,
 * where that is known.
 */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inside = [...issue.errors]
    .sort((a, b) => a.length - b.length)
    .flat()
    .map(innermost)
    .find(({ path }) => path.length > 0);
  return inside ? { ...inside, path: [...issue.path, ...inside.path] } : issue;
}

/** What was found at a place; never what may be a secret that was written there by mistake. */
function finding(path: readonly PropertyKey[], input: unknown): string {
  if (input === undefined) return 'nothing';
  if (input === '') return 'an empty text';
  if (Array.isArray(input))
    return input.length === 0 ? 'an empty list' : `a list of ${input.length}`;
  if (typeof input === 'object' && input !== null)
    return `an object with ${Object.keys(input).map(shown).join(', ') || 'nothing in it'}`;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const mayBeSecret =
    path.some((step) => /key|secret|url/i.test(String(step))) ||
    /^(sk|rk|pk|whsec)_|^[\w+/=.-]{24,}$/.test(text);
  return mayBeSecret
    ? `a text of ${text.length} characters, which may be a secret and is not shown`
    : shown(input);
}

function shown(value: unknown): string {
  const text = cleanLine(JSON.stringify(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…"` : text;
}

function valueOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** How much of the text before it the engine quotes with what it did not expect. */
const QUOTED_BEFORE = 10;

/** Where a text stops being JSON: the engine's own message may quote what stands there. */
export function whereNoJson(text: string, error: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(error.message) ?? [];
  if (line !== undefined) return `line ${line}, column ${column}`;
  const [, token = '', dots, snippet] =
    /^Unexpected token '([\s\S]+)', (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(
      error.message,
    ) ?? [];
  const at =
    snippet === undefined
      ? text.length
      : text.indexOf(snippet) + (dots === undefined ? snippet.indexOf(token) : QUOTED_BEFORE);
  return `line ${text.slice(0, at).split('\n').length}`;
}
