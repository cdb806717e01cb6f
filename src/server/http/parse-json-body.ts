import type { ZodError, ZodType } from 'zod';
import { Problem } from '../lib/problem.ts';

/**
 * Reads a body of JSON. One that names a field twice is refused: whoever reads it elsewhere, such
 * as a firewall, may have seen the other value.
 * @throws {Problem} malformed-json, unknown-field, invalid-field.
 */
export function readBody<Body>(text: string, schema: ZodType<Body>): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', 'The body is not JSON. Send it as UTF-8 JSON.');
  }
  const { data, error } = schema.safeParse(body);
  if (error) throw shapeProblem(error);
  if (namesTwice(text))
    throw new Problem(
      'malformed-json',
      'The body names a field twice in one object. Name each field once.',
    );
  return data;
}

const mark = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/**
 * Whether an object names a member twice, however it is escaped.
 * @param json what JSON.parse takes, which keeps the last one and tells nobody.
 */
function namesTwice(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [sign, text, colon] of json.matchAll(mark)) {
    if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (colon !== undefined) {
      const names = open.at(-1)!;
      const name: unknown = JSON.parse(text!);
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

function shapeProblem({ issues }: ZodError): Problem {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, 5).map((key) => [...issue.path, key].join('.').slice(0, 100))
      : [],
  );
  if (unknown.length > 0)
    return new Problem(
      'unknown-field',
      `Unknown fields: ${unknown.slice(0, 5).join(', ')}. Leave them out, or update the script on the page.`,
    );
  const places = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return new Problem('invalid-field', places.join(' · '));
}
