import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package. */
export function packageVersion(): string {
  const file = fileURLToPath(import.meta.resolve('donation-form/package.json'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
