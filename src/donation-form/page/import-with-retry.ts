const modules: Record<string, Promise<unknown>> = {};

/**
 * Retries with a new query, because some browsers never request the URL of a failed import again.
 * Source: https://github.com/whatwg/html/issues/6768
 */
export function importWithRetry(url: string): Promise<unknown> {
  return (modules[url] ??= import(/* @vite-ignore */ url)
    .catch(() => import(/* @vite-ignore */ `${url}?${Date.now()}`))
    .catch((error: unknown) => {
      // oxlint-disable-next-line typescript/no-dynamic-delete -- so that the next call tries again
      delete modules[url];
      throw error;
    }));
}
