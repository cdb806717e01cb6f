import { pathToFileURL } from 'node:url';
import { ConfigurationError } from './configuration-error.ts';

/**
 * Imports a function from a JavaScript file.
 * @param docsPage documentation page with an example of such a file.
 * @throws {ConfigurationError} if the file cannot be loaded or does not export the function.
 */
export async function loadExportedFunction<Loaded>(
  file: string,
  name: string,
  { settingPath, docsPage }: { readonly settingPath: string; readonly docsPage: string },
): Promise<Loaded> {
  const exports = (await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new ConfigurationError(
      `${settingPath}: cannot load ${file} (${(cause as Error).message}); expected a JavaScript module`,
      { cause },
    );
  })) as Readonly<Record<string, unknown>>;
  if (typeof exports[name] !== 'function')
    throw new ConfigurationError(
      `${settingPath}: ${file} does not export a function named ${name}; see ${docsPage} for an example`,
    );
  return exports[name] as Loaded;
}
