import type { ZodError, ZodType } from 'zod';
import { Problem } from '../lib/problem.ts';

/**
 * Rejects duplicate keys, of which another parser, such as a firewall's, might use another value.
 * @throws {Problem} malformed-json, unknown-field, invalid-field.
 */
export function parseJsonBody<Body>(text: string, schema: ZodType<Body>): Body {
  const keyCount = countKeysInText(text);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', 'The body is not valid JSON. Send JSON in UTF-8.');
  }
  const { data, error } = schema.safeParse(body);
  if (error) throw toValidationProblem(error);
  // `JSON.parse` silently uses the last value of a duplicate key.
  if (countKeys(body) < keyCount)
    throw new Problem(
      'malformed-json',
      'An object in the body has a duplicate key. Send each key once.',
    );
  return data;
}

// Far more than any valid request needs.
const MAX_DEPTH = 32;
const MAX_VALUES = 2_000;

/**
 * Counts all keys, including duplicate ones.
 * @throws {Problem} malformed-json, if the text exceeds a limit. A body with 32,000 nesting levels
 *   or 10,000 keys would take over 10 ms to parse and reject.
 */
function countKeysInText(json: string): number {
  let depth = 0;
  let values = 1;
  let keys = 0;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case QUOTE:
        index = findEndOfString(json, index);
        break;
      case COLON:
        keys += 1;
        break;
      case COMMA:
        values += 1;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth += 1;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        break;
    }
    if (depth > MAX_DEPTH || values > MAX_VALUES)
      throw new Problem(
        'malformed-json',
        `The body has more than ${MAX_DEPTH} nesting levels or ${MAX_VALUES} values. Send a ` +
          'smaller body.',
      );
  }
  return keys;
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

function findEndOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** True after an odd number of backslashes. */
function isEscaped(json: string, index: number): boolean {
  let start = index;
  while (json.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (index - start) % 2 === 1;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const item of Object.values(value)) count += countKeys(item);
  return count;
}

function toValidationProblem({ issues }: ZodError): Problem {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, 5).map((key) => [...issue.path, key].join('.').slice(0, 100))
      : [],
  );
  if (unknown.length > 0)
    return new Problem(
      'unknown-field',
      `The body has unknown fields: ${unknown.slice(0, 5).join(', ')}. Omit them, or update the ` +
        'script on the page.',
    );
  const errors = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return new Problem('invalid-field', errors.join(' · '));
}
