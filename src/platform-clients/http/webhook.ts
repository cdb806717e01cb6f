import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { BodyTooLargeError, readLimitedText } from './call.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 50;

/** Undocumented fields. For XML, the content of the root element, with strings. */
export type WebhookPayload = Readonly<Record<string, unknown>>;

/** Options for reading a platform's webhooks. */
export interface WebhookReaderOptions {
  /** Last segment of the webhook URL: at least 22 letters, digits, hyphens, or underscores. */
  readonly secret: string;
  /** Path of the event type in the payload, such as `['event', 'type']`, which is undocumented. */
  readonly typePath: readonly string[];
  /** Maximum body size in bytes; 262,144 by default. */
  readonly maxBytes?: number;
}

/** Format of a webhook's body. */
export type WebhookBodyFormat = 'json' | 'xml';

/** A webhook's body, both as received and parsed. */
export interface WebhookBody {
  readonly format: WebhookBodyFormat;
  readonly text: string;
  readonly payload: WebhookPayload;
}

/** Formats of webhooks in both APIs ("Enumerations": WebhookFormat). */
export const WebhookFormat = { JSON: 1, XML: 2 } as const;
export type WebhookFormat = (typeof WebhookFormat)[keyof typeof WebhookFormat];

/** Statuses of a webhook. */
export const WebhookStatus = { Active: 1, Paused: 2 } as const;
export type WebhookStatus = (typeof WebhookStatus)[keyof typeof WebhookStatus];

/** A received webhook. Unsigned, so it never proves that a donor paid. */
export interface ReceivedWebhook<Type extends number> {
  readonly type: Type;
  readonly format: WebhookFormat;
  readonly payload: WebhookPayload;
}

/** The path does not contain the secret, or the request is unreadable. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** HTTP status to respond with. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  // oxlint-disable-next-line typescript/no-deprecated -- the replacement is in another package
  htmlEntities: true,
  maxNestedTags: MAX_DEPTH,
});

/** @param types event types of the API, keyed by name. */
export async function verifyAndReadWebhook<Type extends number>(
  request: Request,
  types: Readonly<Record<string, Type>>,
  { secret, typePath, maxBytes = MAX_BYTES }: WebhookReaderOptions,
): Promise<ReceivedWebhook<Type>> {
  if (!/^[\w-]{22,}$/.test(secret))
    throw new RangeError(
      `The webhook secret (${secret.length} characters) is too short or contains invalid ` +
        'characters; expected 22 or more random letters (A-Z, a-z), digits, hyphens, or underscores.',
    );
  const lastSegment = new URL(request.url).pathname.split('/').at(-1) ?? '';
  if (!(await isEqualInConstantTime(lastSegment, secret)))
    throw new WebhookError('Not found.', 404);
  if (request.method !== 'POST')
    throw new WebhookError(`Webhooks do not support the ${request.method} method. Use POST.`, 405);
  const { format, payload } = await readWebhookBody(request, maxBytes);
  const type = findEventType(payload, types, typePath);
  return { type, format: format === 'json' ? WebhookFormat.JSON : WebhookFormat.XML, payload };
}

/**
 * Reads the body of a webhook. The caller must verify the sender first. The `Content-Type` header
 * determines whether the body is JSON or XML.
 * @param maxBytes maximum body size; 262,144 by default.
 * @throws {WebhookError} with the status to respond with: 413 for a body that is too large, 415 for
 *   an unsupported content type, or 400 for an invalid body.
 *
 * @example
 * ```ts
 * import { readWebhookBody } from 'donation-platform-clients/fundraising';
 *
 * const request = new Request('https://give.example.org/webhooks', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/xml' },
 *   body: '<event><type>Gift_Added</type></event>',
 * });
 * const { payload } = await readWebhookBody(request);
 * console.log(payload.type); // Gift_Added
 * ```
 */
export async function readWebhookBody(
  request: Pick<Request, 'headers' | 'body'>,
  maxBytes = MAX_BYTES,
): Promise<WebhookBody> {
  const format = parseContentType(request.headers.get('Content-Type'));
  const text = await readUtf8(request, maxBytes);
  return { format, text, payload: parseWebhookBody(text, format) };
}

/**
 * Parses the text of a webhook's body.
 * @throws {WebhookError} with status 400 if the text is malformed or does not contain an object.
 *
 * @example
 * ```ts
 * import { parseWebhookBody } from 'donation-platform-clients/fundraising';
 *
 * const { type } = parseWebhookBody('{"type": "Gift_Added"}', 'json');
 * console.log(type); // Gift_Added
 * ```
 */
export function parseWebhookBody(text: string, format: WebhookBodyFormat): WebhookPayload {
  return format === 'json' ? parseJsonObject(text) : parseXmlObject(text);
}

/** Prevents timing attacks. */
async function isEqualInConstantTime(received: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [received, expected].map(
      async (text) =>
        new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
    ),
  );
  return a!.reduce((difference, byte, index) => difference | (byte ^ b![index]!), 0) === 0;
}

function parseContentType(contentType: string | null): WebhookBodyFormat {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  throw new WebhookError(
    'The Content-Type header is missing or not supported. Send application/json, application/xml, or text/xml.',
    415,
  );
}

async function readUtf8(request: Pick<Request, 'body'>, maxBytes: number): Promise<string> {
  try {
    return await readLimitedText(request, maxBytes, { isStrict: true });
  } catch (error) {
    throw error instanceof BodyTooLargeError
      ? new WebhookError(
          `The payload is larger than the maximum of ${maxBytes} bytes. Send a smaller payload.`,
          413,
        )
      : new WebhookError(
          'The payload is not valid UTF-8 or is incomplete. Send the complete payload in UTF-8.',
          400,
        );
  }
}

function parseJsonObject(text: string): WebhookPayload {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw new WebhookError('The payload is not valid JSON. Send a JSON object.', 400);
  }
  return requireObject(payload);
}

/** Rejects document type declarations, because most XML attacks define entities in them. */
function parseXmlObject(text: string): WebhookPayload {
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new WebhookError(
      'The payload contains a document type or entity declaration. Remove the declaration.',
      400,
    );
  let payload: unknown;
  try {
    SyntaxValidator.validate(text);
    [payload] = Object.values(parser.parse(text) as WebhookPayload);
  } catch {
    throw new WebhookError(
      `The payload is not well-formed XML or has more than ${MAX_DEPTH} levels. ` +
        `Send well-formed XML with at most ${MAX_DEPTH} levels.`,
      400,
    );
  }
  return requireObject(payload);
}

function requireObject(payload: unknown): WebhookPayload {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new WebhookError(
      'The payload is not an object. Send a JSON object, or XML with child elements.',
      400,
    );
  return payload as WebhookPayload;
}

function findEventType<Type extends number>(
  payload: WebhookPayload,
  types: Readonly<Record<string, Type>>,
  typePath: readonly string[],
): Type {
  const found = typePath.reduce<unknown>(
    (parent, name) =>
      typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
        ? (parent as WebhookPayload)[name]
        : undefined,
    payload,
  );
  const type = Object.entries(types).find(
    ([name, value]) => found === name || found === value || found === String(value),
  )?.[1];
  if (type === undefined)
    throw new WebhookError(
      `The payload has no known event type at ${typePath.join('.')}; expected ` +
        `${Object.keys(types).join(', ')}, or one of their numbers.`,
      400,
    );
  return type;
}
