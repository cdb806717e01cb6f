import { isPathOf, isServiceUrl, serviceBase } from '@donation-form/core/url';

/** No readable answer came: whether the call was carried out is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * A platform's address as its paths are put behind it.
 * @throws {TypeError} where it is neither HTTPS nor this machine.
 */
export function baseOf(baseUrl: string): string {
  if (!isServiceUrl(baseUrl))
    throw new TypeError(
      'baseUrl is no https:// address (http:// only for this machine) without a user name, query or fragment.',
    );
  return serviceBase(baseUrl);
}

/** @param keys by the names of their options. @throws {TypeError} where one cannot be a key. */
export function checkKeys(keys: Readonly<Record<string, string>>): void {
  for (const [name, key] of Object.entries(keys)) {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new TypeError(
        `${name} is empty, or holds a space, a line break or a character that no key has.`,
      );
  }
}

/** @throws {RangeError} where a path would lead away from the platform's address. */
export function checkPath(base: string, path: string): void {
  if (!isPathOf(base, path))
    throw new RangeError(
      `${path} is no path below baseUrl; expected one that begins with a slash.`,
    );
}

/** A call as errors name it: without its query, which may hold what somebody searched for. */
export function nameOf(method: string, path: string): string {
  return `${method} ${path.split('?')[0]}`;
}

/** JSON, or `undefined` where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A text of a body; `undefined` where it has none of this name. The fields of error bodies are
 * hardly shown: `message` is where most interfaces put the reason.
 */
export function textIn(body: unknown, name: string): string | undefined {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Readonly<Record<string, unknown>>)[name]
      : undefined;
  return typeof value === 'string' ? value : undefined;
}
