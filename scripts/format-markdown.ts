import { format, resolveConfig } from 'prettier';

/** Formats generated Markdown as `npm run format` would, so that a generated page stays as it is. */
export async function formatMarkdown(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig('docs/page.md')), parser: 'markdown' });
}
