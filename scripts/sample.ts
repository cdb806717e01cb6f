/**
 * Draws functions, or comments and messages, at random from `src`, to check that strangers
 * understand them: `npm run sample -- functions 15 1` or `npm run sample -- texts 100 1`
 * (kind, count, seed). The same seed draws the same sample from the same sources.
 */
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Shorter comments and strings are names and markup, not prose. */
const MIN_WORDS = 4;

const [kind = 'functions', count = '15', seed = '1'] = process.argv.slice(2);

const files = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.includes('node_modules') && !file.endsWith('.d.ts'))
  .sort();
const candidates = files.flatMap((file) => {
  const source = ts.createSourceFile(
    file,
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return kind === 'functions' ? listFunctions(file, source) : listTexts(file, source);
});
process.stdout.write(`${drawSample(candidates, Number(count), Number(seed)).join('\n')}\n`);

/** Lists the named functions and methods of a file as `path name`. */
function listFunctions(file: string, source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
      node.name &&
      node.body &&
      node.body.statements.length > 0
    )
      found.push(`${file} ${getOwner(node)}${node.name.getText(source)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns `ClassName.` for a method of a class, and nothing for a function. */
function getOwner({ parent }: ts.Node): string {
  return ts.isClassDeclaration(parent) && parent.name ? `${parent.name.text}.` : '';
}

/** Lists the comments of a file and the sentences in its strings as `path:line text`. */
function listTexts(file: string, source: ts.SourceFile): string[] {
  const found = new Map<number, string>();
  const text = source.text;
  const add = (position: number, raw: string): void => {
    const words = raw
      .replaceAll(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/\s*$/gm, '')
      .replaceAll(/\s+/g, ' ');
    if (words.trim().split(' ').length >= MIN_WORDS) found.set(position, words.trim());
  };
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      add(range.pos, text.slice(range.pos, range.end));
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      add(node.getStart(source), node.text);
    else if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent))
      add(node.getStart(source), node.getText(source).slice(1, -1));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found]
    .filter(
      ([, words]) =>
        /[a-z] [a-z]/i.test(words) &&
        !/[<>]|display:|font-|^(INSERT|SELECT|UPDATE|DELETE|CREATE|PRAGMA) /.test(words),
    )
    .map(([position, words]) => {
      const { line } = source.getLineAndCharacterOfPosition(position);
      return `${relative('.', file)}:${line + 1} ${words}`;
    });
}

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
