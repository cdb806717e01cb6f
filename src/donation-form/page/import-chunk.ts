import { importWithRetry } from './import-with-retry.ts';

/**
 * Imports a chunk of the embed script. The build replaces all imports of chunks with calls of this
 * function.
 * @param file name of a file beside the script.
 */
export function importChunk(file: string): Promise<unknown> {
  return importWithRetry(import.meta.resolve(`./${file}`));
}
