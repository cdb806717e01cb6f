/** After decompression. */
const MAX_RESPONSE_BYTES = 1_048_576;

class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** @returns a function that throws {@link ResponseTooLargeError} beyond the limit. */
export function createByteCounter(
  maxBytes = MAX_RESPONSE_BYTES,
): (chunk: { readonly byteLength: number }) => void {
  let bytes = 0;
  return ({ byteLength }) => {
    bytes += byteLength;
    if (bytes > maxBytes)
      throw new ResponseTooLargeError(`the response is larger than ${maxBytes} bytes`);
  };
}

/** @throws {ResponseTooLargeError} if the body is larger than the limit, by default 1 MiB. */
export async function readTextWithLimit(
  { body }: Pick<Response, 'body'>,
  maxBytes?: number,
): Promise<string> {
  const decoder = new TextDecoder();
  const count = createByteCounter(maxBytes);
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    count(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * @throws {ResponseTooLargeError} if the body is larger than 1 MiB.
 * @throws {SyntaxError} if the body is not JSON.
 */
export async function readJsonWithLimit(response: Pick<Response, 'body'>): Promise<unknown> {
  return JSON.parse(await readTextWithLimit(response));
}
