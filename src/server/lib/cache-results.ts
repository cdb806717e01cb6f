/** Caches the results of a function by key, except failures. Concurrent calls share one result. */
export function cacheResults<Result, Key = void>(
  load: (key: Key) => Promise<Result>,
): (key: Key) => Promise<Result> {
  const results = new Map<Key, Promise<Result>>();
  return (key) => {
    const result =
      results.get(key) ??
      load(key).catch((error: unknown) => {
        results.delete(key);
        throw error;
      });
    results.set(key, result);
    return result;
  };
}
