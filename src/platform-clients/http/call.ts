import { isPathWithin, isServiceUrl, normalizeServiceUrl } from '@donation-form/core/url';

/**
 * Error for a call without a readable response. The platform might or might not have processed the
 * call.
 */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/**
 * Normalizes a base URL for use as the start of request URLs.
 * @throws {TypeError} if the URL uses neither HTTPS nor a loopback address, or has a username,
 *   query, or fragment.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  if (!isServiceUrl(baseUrl))
    throw new TypeError(
      'baseUrl must be an https:// URL (http:// only for localhost) without a username, query, or fragment.',
    );
  return normalizeServiceUrl(baseUrl);
}

/**
 * Checks that HTTP headers can contain the API keys.
 * @param keys API keys, keyed by the option names that error messages mention.
 * @throws {TypeError} if a key is empty or contains a space, a control character, or a non-ASCII
 *   character.
 */
export function assertValidApiKeys(keys: Readonly<Record<string, string>>): void {
  for (const [name, key] of Object.entries(keys)) {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new TypeError(
        `${name} is empty or contains a space, a control character such as a line break, or a non-ASCII character.`,
      );
  }
}

/**
 * Checks that a path stays under the platform's base URL. @throws {RangeError} if the path leads
 * outside the base URL.
 */
export function assertPathWithinBase(base: string, path: string): void {
  if (!isPathWithin(base, path))
    throw new RangeError(
      `${path} is not a path under baseUrl; expected a path that starts with / and stays under baseUrl.`,
    );
}

/** Describes a call for error messages. Omits the call's query, which can contain donor data. */
export function describeCall(method: string, path: string): string {
  return `${method} ${path.split('?')[0]}`;
}

/** Parses JSON; returns `undefined` for invalid JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a string property of a parsed body, or `undefined` if the property is missing or not a
 * string.
 */
export function getStringProperty(body: unknown, name: string): string | undefined {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Readonly<Record<string, unknown>>)[name]
      : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Names, in lowercase, of the fields in which platforms explain errors. The specifications document
 * only `message`.
 */
const MESSAGE_FIELDS = [
  'message',
  'detail',
  'details',
  'error_description',
  'errormessage',
  'error',
  'errors',
  'reason',
  'title',
];
const MAX_MESSAGE_LENGTH = 500;
const MAX_DEPTH = 4;
/** Maximum number of characters of an HTML page in which to search for text. */
const MAX_PAGE_LENGTH = 10_000;

/**
 * Extracts the platform's message from the body of an error response. Reads a field such as
 * `message` or `error`, plain text, or the text of an HTML page.
 * @param text text of the response body.
 * @returns at most 500 characters on one line, or `undefined` if there is no message.
 */
export function extractErrorMessage(text: string): string | undefined {
  const parsed = parseJsonOrUndefined(text);
  const message =
    parsed === undefined
      ? text
          .slice(0, MAX_PAGE_LENGTH)
          .replace(/^.*?<\/head\s*>/is, '')
          .replace(/<(style|script)\b.*?(?:<\/\1\s*>|$)|<[^<>]*>/gis, ' ')
      : findMessageInJson(parsed);
  const line = message?.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH);
  return line === '' ? undefined : line;
}

function findMessageInJson(body: unknown, depth = 0): string | undefined {
  if (typeof body === 'string') return body.trim() === '' ? undefined : body;
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return undefined;
  const entries = Object.entries(body);
  const values = Array.isArray(body)
    ? (body as unknown[])
    : MESSAGE_FIELDS.flatMap((field) =>
        entries
          .filter(([name]) => name.toLowerCase() === field)
          .map(([, value]) => value as unknown),
      );
  // An object without these fields might contain lists of errors, keyed by field name.
  const isByField = values.length === 0 && depth > 0;
  for (const value of isByField ? entries.map(([, value]) => value as unknown) : values) {
    const found = findMessageInJson(value, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
