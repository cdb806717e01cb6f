import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 415;

/** Creates an error with a message for the client. */
export function createRequestError(message: string, status: ErrorStatus = 400): HTTPException {
  return new HTTPException(status, { message });
}

/**
 * Converts an error to a JSON response. Unexpected errors become a 500 response without details.
 */
export function toErrorResponse(error: Error, c: Context): Response {
  return error instanceof HTTPException
    ? c.json({ message: error.message }, error.status)
    : c.json({ message: 'The sandbox failed.' }, 500);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats an invalid value for an error message, truncated to 80 characters. */
export function formatForMessage(value: unknown): string {
  const text =
    typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) as string | undefined);
  return text === undefined ? 'missing' : text.slice(0, 80);
}

/**
 * Parses the request body.
 * @throws HTTPException if the body is not a JSON object.
 */
export async function parseJsonBody(c: Context): Promise<JsonObject> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (!isJsonObject(body)) throw createRequestError('The body must be a JSON object.');
  return body;
}

/**
 * Parses the request body. Treats an empty body as an empty object.
 * @throws HTTPException if the body is not a JSON object.
 */
export async function parseOptionalJsonBody(c: Context): Promise<JsonObject> {
  const text = await c.req.text();
  const body: unknown = text === '' ? {} : await c.req.json().catch(() => undefined);
  if (!isJsonObject(body)) throw createRequestError('The body must be empty or a JSON object.');
  return body;
}

/**
 * Checks that all names are known.
 * @param what noun that describes a name in error messages, such as `fault field`.
 * @throws HTTPException if a name is unknown.
 */
export function assertKnownNames(
  what: string,
  names: readonly string[],
  known: readonly string[],
): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw createRequestError(
      `Unknown ${what} ${formatForMessage(unknown)}; expected ${known.length > 0 ? known.join(', ') : 'none'}.`,
    );
}

/**
 * Parses a query parameter that is `true` or `false`, ignoring case.
 * @throws HTTPException for any other value.
 */
export function parseBoolean(name: string, text: string | undefined): boolean | undefined {
  const value = text?.toLowerCase();
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true';
  throw createRequestError(`${name} is ${formatForMessage(text)}; expected true or false.`);
}

/**
 * Parses an ISO 8601 date and time, and returns it in UTC.
 * @throws HTTPException for any other value.
 */
export function parseTimestamp(name: string, text: string | undefined): string {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(Date.parse(text)))
    throw createRequestError(
      `${name} is ${formatForMessage(text)}; expected an ISO 8601 date and time.`,
    );
  return new Date(text).toISOString();
}

/**
 * Returns a string field, or the fallback if the field is missing.
 * @throws HTTPException if the field is not a string.
 */
export function parseString(object: JsonObject, name: string, fallback = ''): string {
  const value = object[name] ?? fallback;
  if (typeof value !== 'string') throw createRequestError(`${name} must be a string.`);
  return value;
}

/**
 * Returns an array of objects, which is empty if the field is missing.
 * @throws HTTPException if the field is not an array of objects.
 */
export function parseObjectArray(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw createRequestError(`${name} must be an array of objects.`);
  return value;
}

/**
 * Parses a non-negative integer.
 * @throws HTTPException for any other value.
 */
export function parseNonNegativeInteger(name: string, text: string | undefined): number {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : NaN;
  if (Number.isNaN(number))
    throw createRequestError(
      `${name} is ${formatForMessage(text)}; expected an integer of 0 or more.`,
    );
  return number;
}

/** Returns true for a valid calendar date in the format `yyyy-mm-dd`. */
export function isCalendarDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  );
}

/** Returns true if a URL's host is a loopback hostname or IP address. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/**
 * Returns true if the request came over HTTPS or from this machine. The `X-Forwarded-Proto` header
 * takes precedence over the URL.
 */
export function isSecureRequest(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url);
  const forwarded = request.headers.get('X-Forwarded-Proto')?.split(',')[0]?.trim().toLowerCase();
  return forwarded === undefined
    ? protocol === 'https:' || isLoopback(hostname)
    : forwarded === 'https';
}

/** Returns true if the request was sent to a loopback host and did not pass through a proxy. */
export function isLocalRequest({ url, headers }: Request): boolean {
  return (
    isLoopback(new URL(url).hostname) &&
    !['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'].some((name) =>
      headers.has(name),
    )
  );
}

/**
 * Returns the origin to which the browser sent the request. Honors the `X-Forwarded-Proto` header.
 */
export function getRequestOrigin({ url, headers }: Request): string {
  const { protocol, host } = new URL(url);
  const forwarded = headers.get('X-Forwarded-Proto')?.split(',')[0]?.trim().toLowerCase();
  return `${forwarded === undefined ? protocol : `${forwarded}:`}//${host}`;
}

/**
 * Returns true if the browser's headers show that a page with the same origin submitted the form.
 */
export function isSameOriginRequest(request: Request): boolean {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  return origin === null
    ? site === 'same-origin'
    : origin === getRequestOrigin(request) && (site === null || site === 'same-origin');
}
