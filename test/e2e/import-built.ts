import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

/** Built packages, by the end of their name. */
interface BuiltModules {
  readonly server: typeof import('../../src/server/index.ts');
  readonly sandbox: typeof import('../../src/sandbox/index.ts');
}

const { brotliCompress } = zlib;
const compressFast = (text: string, _options: unknown, callback: zlib.CompressCallback): void =>
  brotliCompress(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }, callback);
// Each test has its own server, which would compress its scripts at the highest level.
Object.assign(zlib, { brotliCompress: compressFast });
syncBuiltinESMExports();

/** Imports a built module with the types of its source, so that type checks need no build. */
export function importBuilt<Name extends keyof BuiltModules>(
  name: Name,
): Promise<BuiltModules[Name]> {
  const url = new URL(`../../dist/donation-form-${name}/lib/index.js`, import.meta.url);
  return import(url.href) as Promise<BuiltModules[Name]>;
}
