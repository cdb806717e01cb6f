import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../lib/hash.ts';
import { packageFile } from '../lib/package-file.ts';
import { publicBody, type PublicBody } from '../lib/cached-response.ts';

/**
 * The files that pages load, by name: `donation-form.js`, its twin with its hash in its name, which
 * never changes, its late parts beside it likewise, and the small scripts beside it;
 * under `pages/` those of the endpoint's own pages, style sheets too.
 */
export type ScriptFiles = () => Promise<ReadonlyMap<string, PublicBody>>;

/** The names of files that never change: they hold a hash. */
export const IMMUTABLE = /^donation-form\.[\w-]+\.js$/;

/**
 * Reads the built files once, when they are first asked for.
 * @param folder where they are, if not in this package.
 */
export function builtScripts(folder?: string): ScriptFiles {
  let read: ReturnType<ScriptFiles> | undefined;
  return () =>
    (read ??= readScripts(folder ?? packageFile('assets')).catch((error: unknown) => {
      read = undefined;
      throw error;
    }));
}

async function readScripts(folder: string): Promise<ReadonlyMap<string, PublicBody>> {
  const embedded = (await readdir(folder)).filter((name) =>
    /^(donation-form(\.[\w-]+)?|donation-button|donation-goal|attribution|analytics)\.js$/.test(
      name,
    ),
  );
  const ofPages = (await readdir(join(folder, 'pages')))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => `pages/${name}`);
  const files = new Map(
    await Promise.all(
      [...embedded, ...ofPages].map(async (name) => {
        return [name, publicBody(await readFile(join(folder, name), 'utf8'))] as const;
      }),
    ),
  );
  const script = files.get(SCRIPT)!;
  return files.set(twinOf(script), script);
}

const SCRIPT = 'donation-form.js';

function twinOf({ text }: PublicBody): string {
  return `donation-form.${sha256(text).replaceAll('_', '-').slice(0, 16)}.js`;
}

/**
 * What a page needs to embed the form so that the browser refuses any other script: the twin's
 * name, and its hash (Subresource Integrity).
 */
export interface Embed {
  readonly script: string;
  readonly integrity: string;
}

/** @returns `undefined` where the script was not built. */
export function embedOf(files: ReadonlyMap<string, PublicBody>): Embed | undefined {
  const script = files.get(SCRIPT);
  return (
    script && {
      script: twinOf(script),
      integrity: `sha384-${createHash('sha384').update(script.text).digest('base64')}`,
    }
  );
}
