/**
 * Draws functions, or comments and messages, at random from `src`, to check that strangers
 * understand them: `npm run sample -- functions 15 1` or `npm run sample -- texts 100 1`
 * (kind, count, seed). The same seed draws the same sample from the same sources.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { listFunctions, listTexts } from './source-texts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const [kind = 'functions', count = '15', seed = '1'] = process.argv.slice(2);

const files = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.includes('node_modules') && !file.endsWith('.d.ts'))
  .sort();
const candidates = files.flatMap((file) => {
  const content = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  return kind === 'functions' ? listFunctions(source) : listTexts(source);
});
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
