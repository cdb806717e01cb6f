import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from './hash.ts';

export interface ScriptFile {
  readonly text: string;
  readonly etag: string;
}

/** The files that pages load, by name: `donation-form.js`, its late parts beside it with a hash in their names, and `attribution.js`. */
export type ScriptFiles = () => Promise<ReadonlyMap<string, ScriptFile>>;

/** Reads the built files once, when the first page asks. */
export function builtScripts(): ScriptFiles {
  let read: ReturnType<ScriptFiles> | undefined;
  return () => read ??= readScripts(dirname(fileURLToPath(import.meta.resolve('donation-form/donation-form.js')))).catch((error: unknown) => {
    read = undefined;
    throw error;
  });
}

async function readScripts(folder: string): Promise<ReadonlyMap<string, ScriptFile>> {
  const names = (await readdir(folder)).filter((name) => /^(donation-form(\.[\w-]+)?|attribution)\.js$/.test(name));
  return new Map(await Promise.all(names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return [name, { text, etag: `"${sha256(text).slice(0, 22)}"` }] as const;
  })));
}
