import { globSync, readdirSync, readFileSync } from 'node:fs';

/** A block of code on a page of the documentation. */
export interface CodeBlock {
  /** The page, such as `docs/install.md`. */
  readonly page: string;
  readonly line: number;
  /** What the fence says: a language, and perhaps a file's name. */
  readonly language: string;
  readonly code: string;
}

const integrations = globSync(['examples/**/README.md', 'integrations/**/README.md'], {
  exclude: ['**/node_modules'],
});

/** The pages that people read. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...integrations,
];

/** Every block of code of a page, without what all its lines are indented by. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^( *)```(\S*)[^\n]*\n([^]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
