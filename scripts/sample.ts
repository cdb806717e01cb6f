/**
 * Draws functions, comments and messages (`texts`), or sentences of the documentation and messages
 * (`sentences`) at random, to check that strangers understand them: `npm run sample -- texts 100 1`
 * (kind, count, seed). The same seed draws the same sample from the same files.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { listSentences } from './documentation-sentences.ts';
import { listFunctions, listMessages, listTexts } from './source-texts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const [kind = 'functions', count = '15', seed = '1'] = process.argv.slice(2);

const files = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.includes('node_modules') && !file.endsWith('.d.ts'))
  .sort();
const readText = (file: string): string =>
  readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const listers = { functions: listFunctions, texts: listTexts, sentences: listMessages };
if (!Object.hasOwn(listers, kind))
  throw new Error(`The kind is "${kind}"; expected ${Object.keys(listers).join(', ')}.`);
const candidates = files.flatMap((file) =>
  listers[kind as keyof typeof listers](
    ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest, true),
  ),
);
if (kind === 'sentences') {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: ROOT }).sort();
  candidates.push(...pages.flatMap((page) => listSentences(page, readText(page))));
}
process.stdout.write(`${drawSample(candidates, Number(count), Number(seed)).join('\n')}\n`);

/** Draws without replacement, with the generator mulberry32. */
function drawSample(from: readonly string[], size: number, initial: number): string[] {
  const rest = [...from];
  let state = initial;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Array.from(
    { length: Math.min(size, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0]!,
  );
}
