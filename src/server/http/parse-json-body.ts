import type { ZodError, ZodType } from 'zod';
import { Problem } from '../lib/problem.ts';

/**
 * Parses and validates a JSON body. Rejects duplicate keys, because another parser, such as a
 * firewall's, might use a different value for the same key.
 * @throws {Problem} malformed-json, unknown-field, invalid-field.
 */
export function parseJsonBody<Body>(text: string, schema: ZodType<Body>): Body {
  let body: unknown;
  // A body with 32,000 nesting levels or 10,000 keys would take over 10 ms to parse and reject.
  if (isTooComplex(text))
    throw new Problem(
      'malformed-json',
      `The body has more than ${MAX_DEPTH} nesting levels or ${MAX_VALUES} values. Send a ` +
        'smaller body.',
    );
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', 'The body is not valid JSON. Send JSON in UTF-8.');
  }
  const { data, error } = schema.safeParse(body);
  if (error) throw toValidationProblem(error);
  if (hasDuplicateKeys(text))
    throw new Problem(
      'malformed-json',
      'An object in the body has a duplicate key. Send each key once.',
    );
  return data;
}

// Both limits are far higher than any valid request needs.
const MAX_DEPTH = 32;
const MAX_VALUES = 2_000;

/** Returns true if the body exceeds the maximum nesting depth or number of values. */
function isTooComplex(json: string): boolean {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) {
      if (character === '\\') index += 1;
    } else if (character === ',') values += 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}

const JSON_TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/**
 * Returns true if any object has a duplicate key. Decodes escape sequences before comparing keys.
 * This check is needed because `JSON.parse` silently uses the last value of a duplicate key.
 * @param json valid JSON.
 */
function hasDuplicateKeys(json: string): boolean {
  const openObjects: Set<unknown>[] = [];
  for (const [token, text, colon] of json.matchAll(JSON_TOKEN)) {
    if (token === '{') openObjects.push(new Set());
    else if (token === '}') openObjects.pop();
    else if (colon !== undefined) {
      const keys = openObjects.at(-1)!;
      const key: unknown = JSON.parse(text!);
      if (keys.has(key)) return true;
      keys.add(key);
    }
  }
  return false;
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
