import { globSync, readFileSync } from 'node:fs';

/** A code block of a documentation page. */
export interface CodeBlock {
  /** The page, such as `docs/install/README.md`. */
  readonly page: string;
  readonly line: number;
  /** Language of the fence. */
  readonly language: string;
  /** File name after the language; may be empty. */
  readonly name: string;
  readonly code: string;
}

const integrations = globSync(['examples/**/README.md', 'integrations/**/README.md'], {
  exclude: ['**/node_modules'],
});

/** Markdown pages of the documentation. */
export const DOCUMENTATION_PAGES: readonly string[] = [
  'README.md',
  ...globSync('docs/**/*.md', { exclude: ['docs/{contributing,evidence}'] }),
  ...integrations,
];

/** Extracts the code blocks of a page, without their common indentation. */
export function extractCodeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^( *)```(\S*) ?([^\n]*)\n([^]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: name = '', 4: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      name,
      code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
