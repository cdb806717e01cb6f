/** Maximum size of a response in bytes, after decompression. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** Error for a response that is larger than the maximum size. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/**
 * Reads a response body as text. Stops at 1 MiB to prevent a large response from exhausting the
 * memory.
 * @throws {ResponseTooLargeError} if the body is larger than 1 MiB.
 */
export async function readText({ body }: Pick<Response, 'body'>): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new ResponseTooLargeError(
        `the response is larger than ${MAX_RESPONSE_BYTES} bytes. Request fewer records per call.`,
      );
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
