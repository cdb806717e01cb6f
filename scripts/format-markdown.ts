import { format, resolveConfig } from 'prettier';

/** Formats generated Markdown as `npm run format` would, so that formatting never changes it. */
export async function formatMarkdown(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig('docs/page.md')), parser: 'markdown' });
}
