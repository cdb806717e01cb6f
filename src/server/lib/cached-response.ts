import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { hasTag, tagOf } from './etag.ts';

/**
 * A body that is the same for everybody who asks for it.
 * Only such bodies are compressed: where a secret stands beside what somebody else had a say in,
 * the length of both together would tell it (BREACH).
 */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
}

export function publicBody(text: string): PublicBody {
  return { text, etag: tagOf(text) };
}

type Encoding = 'br' | 'gzip';

/** Shorter bodies are sent as they are, in characters. */
const LEAST_COMPRESSED = 300;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const COMPRESS: Readonly<
  Record<
    'best' | 'fast',
    Readonly<Record<Encoding, (text: string) => Promise<Uint8Array<ArrayBuffer>>>>
  >
> = {
  best: {
    br: (text) =>
      brotli(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      }),
    gzip: (text) => zip(text, { level: constants.Z_BEST_COMPRESSION }),
  },
  fast: {
    br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    gzip: (text) => zip(text),
  },
};

/** What was compressed, for as long as the body itself is kept. */
const kept = new WeakMap<PublicBody, Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>>();

function compressOnce(body: PublicBody, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const known = kept.get(body) ?? new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();
  const compressed = known.get(encoding) ?? COMPRESS.best[encoding](body.text);
  kept.set(body, known.set(encoding, compressed));
  return compressed;
}

/** Answers with a body that stays as it is: it is compressed once, as small as it gets. */
export function answerWith(
  c: Context,
  body: PublicBody,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return answer(c, body, headers, (encoding) => compressOnce(body, encoding));
}

/** Answers with a text that was made for this request. */
export function answerOnce(
  c: Context,
  text: string,
  headers: Readonly<Record<string, string>>,
  status: 200 | 404 | 503 = 200,
): Promise<Response> {
  return answer(c, publicBody(text), headers, (encoding) => COMPRESS.fast[encoding](text), status);
}

/**
 * The tag of a compressed body is weak: its bytes are others, what they say is the same (RFC 9110,
 * 8.8.1).
 */
async function answer(
  c: Context,
  { text, etag }: PublicBody,
  headers: Readonly<Record<string, string>>,
  compress: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>,
  status: 200 | 404 | 503 = 200,
): Promise<Response> {
  const encoding = text.length < LEAST_COMPRESSED ? undefined : encodingFor(c);
  const all = { ...headers, Vary: 'Accept-Encoding', ETag: encoding ? `W/${etag}` : etag };
  if (status === 200 && hasTag(c.req.header('If-None-Match'), etag)) return c.body(null, 304, all);
  return encoding
    ? c.body(await compress(encoding), status, { ...all, 'Content-Encoding': encoding })
    : c.body(text, status, all);
}

/**
 * The encoding that the client takes best, of equal ones the one that makes shorter bodies;
 * `undefined`: none (RFC 9110, 12.5.3).
 */
function encodingFor(c: Context): Encoding | undefined {
  const chosen = accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip', 'identity'],
    default: 'identity',
    match: (accepted, { supports, default: fallback }) => {
      const qualityOf = (encoding: string): number =>
        (
          accepted.find(({ type }) => type.toLowerCase() === encoding) ??
          (encoding === fallback ? undefined : accepted.find(({ type }) => type === '*'))
        )?.q ?? 0;
      const best = [...supports].sort((a, b) => qualityOf(b) - qualityOf(a))[0]!;
      return qualityOf(best) > 0 ? best : fallback;
    },
  });
  return chosen === 'identity' ? undefined : (chosen as Encoding);
}
