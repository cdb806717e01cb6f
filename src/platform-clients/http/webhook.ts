import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';

const MOST_BYTES = 256 * 1024;
const MOST_DEPTH = 50;

/**
 * What a platform sent. Its fields are not shown in either specification. Of XML it is what stands
 * in the outermost element, and its values are texts.
 */
export type Payload = Readonly<Record<string, unknown>>;

/** How webhooks of a platform are read. */
export interface WebhookReaderOptions {
  /**
   * The last part of the path that the platform was told to send to; nobody else knows it. At least
   * 22 of A-Z a-z 0-9 - _.
   */
  readonly secret: string;
  /**
   * Where the event's type stands in a payload, which the specification does not show: the names
   * that lead to it, such as `['event', 'type']`.
   */
  readonly typeAt: readonly string[];
  /** The largest payload, in bytes; 262,144 where absent. */
  readonly mostBytes?: number;
}

/** How a webhook's body is written. */
export type PayloadFormat = 'json' | 'xml';

/** A payload as it came, and what stands in it. */
export interface ReadPayload {
  readonly format: PayloadFormat;
  readonly text: string;
  readonly payload: Payload;
}

/** A webhook is not one of the platform's, or cannot be read. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The HTTP status to answer. */
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
  // oxlint-disable-next-line typescript/no-deprecated -- the decoder instead is of another package
  htmlEntities: true,
  maxNestedTags: MOST_DEPTH,
});

/**
 * Reads a webhook: its secret path, then its payload, JSON or XML by the header Content-Type.
 * @param types the interface's event types, by name.
 * @throws {WebhookError} with the status to answer: 404 another secret, 405, 413, 415, 400.
 */
export async function receive<Type extends number>(
  request: Request,
  types: Readonly<Record<string, Type>>,
  { secret, typeAt, mostBytes = MOST_BYTES }: WebhookReaderOptions,
): Promise<{ type: Type; format: PayloadFormat; payload: Payload }> {
  if (!/^[\w-]{22,}$/.test(secret))
    throw new RangeError(
      `the webhook's secret has ${secret.length} characters; expected 22 random ones or more of A-Z a-z 0-9 - _.`,
    );
  if (!(await isSame(new URL(request.url).pathname.split('/').at(-1) ?? '', secret)))
    throw new WebhookError('There is nothing at this address.', 404);
  if (request.method !== 'POST')
    throw new WebhookError(`${request.method} is not the method of a webhook; expected POST.`, 405);
  const { format, payload } = await readPayload(request, mostBytes);
  return { type: typeOf(payload, types, typeAt), format, payload };
}

/**
 * Reads the payload of a webhook whose sender is known, whatever it tells: JSON or XML by the
 * header Content-Type.
 * @param mostBytes the largest payload.
 * @throws {WebhookError} with the status to answer: 413, 415, 400.
 */
export async function readPayload(
  request: Pick<Request, 'headers' | 'body'>,
  mostBytes = MOST_BYTES,
): Promise<ReadPayload> {
  const format = formatOf(request.headers.get('Content-Type'));
  const text = await readText(request, mostBytes);
  return { format, text, payload: parsePayload(text, format) };
}

/** What stands in a payload's text. @throws {WebhookError} 400. */
export function parsePayload(text: string, format: PayloadFormat): Payload {
  return format === 'json' ? readJson(text) : readXml(text);
}

/** Compares without telling by its time how much is right. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [given, expected].map(
      async (text) =>
        new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
    ),
  );
  return a!.reduce((difference, byte, index) => difference | (byte ^ b![index]!), 0) === 0;
}

function formatOf(contentType: string | null): PayloadFormat {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  throw new WebhookError(
    'Expected the header Content-Type: application/json or application/xml.',
    415,
  );
}

async function readText({ body }: Pick<Request, 'body'>, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength;
      if (bytes > mostBytes)
        throw new WebhookError(`The payload is larger than ${mostBytes} bytes.`, 413);
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    throw error instanceof WebhookError
      ? error
      : new WebhookError('The payload is no UTF-8 text, or was cut off.', 400);
  }
}

function readJson(text: string): Payload {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw new WebhookError('The payload is no JSON.', 400);
  }
  return asRecord(payload);
}

/** Document types are refused: entities of one's own are the way of most attacks by XML. */
function readXml(text: string): Payload {
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new WebhookError('The payload has a document type, which no webhook needs.', 400);
  let payload: unknown;
  try {
    SyntaxValidator.validate(text);
    [payload] = Object.values(parser.parse(text) as Payload);
  } catch {
    throw new WebhookError('The payload is no well-formed XML, or is nested too deep.', 400);
  }
  return asRecord(payload);
}

function asRecord(payload: unknown): Payload {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new WebhookError('The payload is no object.', 400);
  return payload as Payload;
}

function typeOf<Type extends number>(
  payload: Payload,
  types: Readonly<Record<string, Type>>,
  typeAt: readonly string[],
): Type {
  const found = typeAt.reduce<unknown>(
    (holder, name) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
        ? (holder as Payload)[name]
        : undefined,
    payload,
  );
  const type = Object.entries(types).find(
    ([name, value]) => found === name || found === value || found === String(value),
  )?.[1];
  if (type === undefined)
    throw new WebhookError(
      `No event's type stands at ${typeAt.join('.')}; expected ${Object.keys(types).join(', ')}, or its value.`,
      400,
    );
  return type;
}
