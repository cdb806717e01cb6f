import { importWithRetry } from './import-with-retry.ts';

/** Imports a file beside the script. The build makes all imports of chunks call this function. */
export function importChunk(file: string): Promise<unknown> {
  return importWithRetry(import.meta.resolve(`./${file}`));
}
