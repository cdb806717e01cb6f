import type { ZodError, ZodType } from 'zod';
import { Problem } from './problem.ts';

/**
 * Reads a body of JSON.
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
  return data;
}

function shapeProblem({ issues }: ZodError): Problem {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.').slice(0, 100)) : []));
  if (unknown.length > 0) return new Problem('unknown-field', `Unknown fields: ${unknown.slice(0, 5).join(', ')}. Leave them out, or update the script on the page.`);
  const places = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return new Problem('invalid-field', places.join(' · '));
}
