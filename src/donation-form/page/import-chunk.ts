/** Chunks that have loaded or are loading, by URL. */
const chunks: Record<string, Promise<unknown>> = {};

/**
 * Imports a chunk. Retries a failed import at once with a new query, because some browsers never
 * request the URL of a failed import again. In the embed script, the build replaces all imports of
 * chunks with calls of this function. Source: https://github.com/whatwg/html/issues/6768
 * @param url URL of the chunk, absolute or relative to this script.
 */
export function importChunk(url: string): Promise<unknown> {
  return (chunks[url] ??= import(/* @vite-ignore */ url)
    .catch(() => import(/* @vite-ignore */ `${url}?${Date.now()}`))
    .catch((error: unknown) => {
      // oxlint-disable-next-line typescript/no-dynamic-delete -- so that the next call tries again
      delete chunks[url];
      throw error;
    }));
}
