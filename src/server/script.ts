import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tagOf } from './entity-tag.ts';

export interface ScriptFile {
  readonly text: string;
  readonly etag: string;
}

/**
 * The files that pages load, by name: `donation-form.js`, its late parts beside it with a hash in their names, and `attribution.js`;
 * under `pages/` those of the endpoint's own pages, style sheets too.
 */
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
  const embedded = (await readdir(folder)).filter((name) => /^(donation-form(\.[\w-]+)?|attribution)\.js$/.test(name));
  const ofPages = (await readdir(join(folder, 'pages'))).filter((name) => /\.(js|css)$/.test(name)).map((name) => `pages/${name}`);
  return new Map(await Promise.all([...embedded, ...ofPages].map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return [name, { text, etag: tagOf(text) }] as const;
  })));
}
