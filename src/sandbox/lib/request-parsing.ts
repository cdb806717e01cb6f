import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

type Refusal = 400 | 401 | 403 | 404 | 409 | 415;

/** A refusal whose message the caller is shown. */
export function refusal(message: string, status: Refusal = 400): HTTPException {
  return new HTTPException(status, { message });
}

/** Turns what was thrown into a JSON answer: a refusal's message, or a 500 that tells nothing. */
export function answerError(error: Error, c: Context): Response {
  return error instanceof HTTPException
    ? c.json({ message: error.message }, error.status)
    : c.json({ message: 'The sandbox failed.' }, 500);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What somebody wrote, for a message that says so: as JSON, and cut where it is long. */
export function shown(written: unknown): string {
  const text =
    typeof written === 'string' ? `'${written}'` : (JSON.stringify(written) as string | undefined);
  return text === undefined ? 'missing' : text.slice(0, 80);
}

/** The JSON object in a request's body. @throws a refusal where there is none. */
export async function readBody(c: Context): Promise<JsonObject> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (!isObject(body)) throw refusal('The body must be a JSON object.');
  return body;
}

/** @throws a refusal that lists what is known, where a name is not. */
export function refuseUnknown(
  what: string,
  names: readonly string[],
  known: readonly string[],
): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw refusal(
      `${shown(unknown)} is no ${what}; expected ${known.length > 0 ? known.join(', ') : 'none'}.`,
    );
}

/**
 * `true` and `false` in any case, as query strings write them.
 * @throws a refusal for anything else.
 */
export function readFlag(name: string, written: string | undefined): boolean | undefined {
  const value = written?.toLowerCase();
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true';
  throw refusal(`${name} is ${shown(written)}; expected true or false.`);
}

/** A moment in ISO 8601, in UTC. @throws a refusal for anything else. */
export function readMoment(name: string, written: string | undefined): string {
  if (
    written === undefined ||
    !/^\d{4}-\d\d-\d\dT/.test(written) ||
    Number.isNaN(Date.parse(written))
  )
    throw refusal(`${name} is ${shown(written)}; expected a moment in ISO 8601.`);
  return new Date(written).toISOString();
}

/** A string, or the fallback where the field is missing. @throws a refusal for anything else. */
export function readText(object: JsonObject, name: string, fallback = ''): string {
  const value = object[name] ?? fallback;
  if (typeof value !== 'string') throw refusal(`${name} must be a string.`);
  return value;
}

/** A list of objects; none where the field is missing. @throws a refusal for anything else. */
export function readObjects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw refusal(`${name} must be an array of objects.`);
  return value;
}

/** A whole number written in digits. @throws a refusal for anything else. */
export function readDigits(name: string, written: string | undefined): number {
  const number = /^\d{1,15}$/.test(written ?? '') ? Number(written) : NaN;
  if (Number.isNaN(number))
    throw refusal(`${name} is ${shown(written)}; expected a whole number, 0 or more.`);
  return number;
}

/** Whether a host, as a URL has it, is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/**
 * Whether a request came over HTTPS, or over plain HTTP from this machine. A proxy says how it was
 * asked in `X-Forwarded-Proto`,
 * and what it says counts.
 */
export function isSecure(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url);
  const forwarded = request.headers.get('X-Forwarded-Proto')?.split(',')[0]?.trim().toLowerCase();
  return forwarded === undefined
    ? protocol === 'https:' || isLoopback(hostname)
    : forwarded === 'https';
}

/** Whether a request was sent to this machine by its own name and through no proxy. */
export function isLocal({ url, headers }: Request): boolean {
  return (
    isLoopback(new URL(url).hostname) &&
    !['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'].some((name) =>
      headers.has(name),
    )
  );
}

/** The origin that a request was sent to, as the browser that sent it knows it. */
export function originOf({ url, headers }: Request): string {
  const { protocol, host } = new URL(url);
  const forwarded = headers.get('X-Forwarded-Proto')?.split(',')[0]?.trim().toLowerCase();
  return `${forwarded === undefined ? protocol : `${forwarded}:`}//${host}`;
}

/** Whether a browser says that a form came from the very origin that it was sent to. */
export function isFromOwnPage(request: Request): boolean {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  return origin === null
    ? site === 'same-origin'
    : origin === originOf(request) && (site === null || site === 'same-origin');
}
