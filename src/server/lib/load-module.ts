import { pathToFileURL } from 'node:url';
import { ConfigurationError } from './configuration-error.ts';

/**
 * Loads a function of a JavaScript file of the operator's own.
 * @param at its place in the configuration. @param shownIn the page that shows such a file.
 * @throws {ConfigurationError} where the file cannot be loaded or has no such function.
 */
export async function loadFunction<Loaded>(
  file: string,
  name: string,
  { at, shownIn }: { readonly at: string; readonly shownIn: string },
): Promise<Loaded> {
  const exported = (await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new ConfigurationError(
      `${at}: found that ${file} cannot be loaded (${(cause as Error).message}), expected a JavaScript module`,
      { cause },
    );
  })) as Readonly<Record<string, unknown>>;
  if (typeof exported[name] !== 'function')
    throw new ConfigurationError(
      `${at}: found no function ${name} in ${file}, expected it among its exports; ${shownIn} shows one`,
    );
  return exported[name] as Loaded;
}
