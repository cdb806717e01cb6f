/** Maximum size of a response from another server in bytes, after decompression. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** Another server's response is too large to read. */
class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/**
 * Creates a function that counts the bytes of a response as they arrive, so that an endless
 * response cannot exhaust the memory.
 * @returns a function that throws {@link ResponseTooLargeError} once it has counted over 1 MiB.
 */
export function createByteCounter(): (chunk: { readonly byteLength: number }) => void {
  let bytes = 0;
  return ({ byteLength }) => {
    bytes += byteLength;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new ResponseTooLargeError(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`);
  };
}

/**
 * Parses a response's body as JSON.
 * @throws {ResponseTooLargeError} if the body is larger than 1 MiB.
 * @throws {SyntaxError} if the body is not JSON.
 */
export async function readJsonWithLimit({ body }: Pick<Response, 'body'>): Promise<unknown> {
  const decoder = new TextDecoder();
  const count = createByteCounter();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    count(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
