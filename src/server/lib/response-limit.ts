/** Maximum size of a decompressed response from another server, in bytes. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** Another server's response exceeds the size limit. */
class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/**
 * Creates a function that counts the bytes of a response as they arrive, to prevent an endless
 * response from exhausting the memory.
 * @returns a function that throws {@link ResponseTooLargeError} after counting more than 1 MiB.
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
