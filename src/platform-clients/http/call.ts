import { isPathWithin, isServiceUrl, normalizeServiceUrl } from '@donation-form/core/url';

/** The platform sent no readable response, so it might or might not have processed the call. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/** @throws {TypeError} unless the URL uses HTTPS or a loopback address and has only a path. */
export function normalizeBaseUrl(baseUrl: string): string {
  if (!isServiceUrl(baseUrl))
    throw new TypeError(
      'baseUrl must be an https:// URL (http:// only for localhost) without a username, query, or fragment.',
    );
  return normalizeServiceUrl(baseUrl);
}

/** @throws {TypeError} if an HTTP header cannot contain a key, by option name. */
export function assertValidApiKeys(keys: Readonly<Record<string, string>>): void {
  for (const [name, key] of Object.entries(keys)) {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new TypeError(
        `${name} is empty or contains a space, a control character such as a line break, or a non-ASCII character.`,
      );
  }
}

/** @throws {RangeError} if the path leads outside the base URL. */
export function assertPathWithinBase(base: string, path: string): void {
  if (!isPathWithin(base, path))
    throw new RangeError(
      `${path} is not a path under baseUrl; expected a path that starts with / and stays under baseUrl.`,
    );
}

/** The response is not a success. Contains the platform's message, if any. */
export class ResponseError<RateLimit> extends Error {
  readonly status: number;
  readonly rateLimit: RateLimit;
  readonly #body: string;

  constructor(message: string, status: number, rateLimit: RateLimit, body = '') {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
    this.#body = body;
  }

  /** May contain donor data. Loggers omit it, because it is a getter. */
  get body(): string {
    return this.#body;
  }
}

/** Bytes, after decompression. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** The body of a response or webhook is too large. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/**
 * @param maxBytes maximum body size; 1 MiB by default.
 * @param options `isStrict`: true to reject a body that is not valid UTF-8.
 * @throws {BodyTooLargeError} if the body is larger.
 */
export async function readLimitedText(
  { body }: Pick<Response, 'body'>,
  maxBytes = MAX_RESPONSE_BYTES,
  { isStrict = false } = {},
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: isStrict });
  let bytes = 0;
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLargeError(`the body is larger than ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export function createNoResponseError(call: string, cause: unknown): NoResponseError {
  const reason =
    cause instanceof BodyTooLargeError
      ? `the response is larger than ${MAX_RESPONSE_BYTES} bytes. Request fewer records per call.`
      : 'the platform did not respond';
  return new NoResponseError(`${call}: ${reason}`, { cause });
}

/** Describes a call without its query, which can contain donor data. */
export function describeCall(method: string, path: string): string {
  return `${method} ${path.split('?')[0]}`;
}

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function getStringProperty(body: unknown, name: string): string | undefined {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Readonly<Record<string, unknown>>)[name]
      : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Lowercase names of fields in which platforms explain errors. Only `message` is documented. */
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
/** Characters of an HTML page in which to search for text. */
const MAX_PAGE_LENGTH = 10_000;

/**
 * Extracts the message from a field, plain text, or the text of an HTML page.
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
