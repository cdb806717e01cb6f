import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import hljs from 'highlight.js';
import MarkdownIt, { type Token } from 'markdown-it';
import githubAlerts from 'markdown-it-github-alerts';

/** Folder of the pages. Paths of pages are relative to it, such as `install/html.md`. */
export const DOCS = 'docs';

const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly repository: { readonly url: string };
};
/** URL of the repository on GitHub. */
export const REPOSITORY = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** Languages of code blocks that highlight.js knows by another name. */
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  caddyfile: 'nginx',
  jsx: 'javascript',
  svelte: 'xml',
  tsx: 'typescript',
  vue: 'xml',
};

/** Languages of code blocks whose long lines wrap: emails and snippets to copy. */
const WRAPPED_LANGUAGES: ReadonlySet<string> = new Set(['html', 'text']);

const NO_ICONS = { note: '', tip: '', important: '', warning: '', caution: '' };

/** The data that Eleventy passes to the renderer. */
interface RenderEnvironment {
  readonly page?: { readonly inputPath: string };
}

/** Returns a page's path in the folder of the pages, from its path in the project. */
export function toPagePath(inputPath: string): string {
  return posix.relative(DOCS, posix.normalize(inputPath));
}

/** Returns the URL of a page, relative to the site's root: `install/` or `install/html/`. */
export function toPageUrl(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '/');
}

/**
 * Rewrites a link of a page. Links to pages become links between the site's pages, other files in
 * the folder of the pages are part of the site, and everything else is a file on GitHub. A link to
 * a missing file stays relative, so that the build finds it.
 */
function rewriteLink(href: string, path: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [file = '', hash] = href.split('#');
  const target = posix.join(DOCS, posix.dirname(path), file);
  const suffix = hash === undefined ? '' : `#${hash}`;
  if (isOutside(target)) return toRepositoryUrl(target) + suffix;
  const inside = posix.relative(DOCS, target);
  const url = inside.endsWith('.md') ? toPageUrl(inside) : inside;
  return toRelativeUrl(toPageUrl(path), url) + suffix;
}

/** Returns the URL of `target`, relative to the page at the URL `from`. */
export function toRelativeUrl(from: string, target: string): string {
  const relative = posix.relative(`/${from}`, `/${target}`) || '.';
  return target === '' || target.endsWith('/') ? `${relative}/` : relative;
}

/** Returns true for a folder, and for a file outside the folder of the pages. */
function isOutside(target: string): boolean {
  return existsSync(target) && (isFolder(target) || !target.startsWith(`${DOCS}/`));
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

function toRepositoryUrl(target: string): string {
  return `${REPOSITORY}/${isFolder(target) ? 'tree' : 'blob'}/main/${target}`;
}

/** Replaces the links of a page that point outside the site, for its Markdown version. */
export function rewriteMarkdown(source: string, path: string): string {
  return source.replaceAll(/(?<=\]\()(\.\.?\/[^)#\s]+)/g, (href) => {
    const target = posix.join(DOCS, posix.dirname(path), href);
    return isOutside(target) ? toRepositoryUrl(target) : href;
  });
}

/** Renderer of the pages. It renders what GitHub renders, without inline styles. */
export const markdown = new MarkdownIt({ html: true, linkify: true, highlight: highlightCode });

// Its types name one that markdown-it 15 no longer has.
markdown.use(githubAlerts as (renderer: typeof markdown, options: object) => void, {
  icons: NO_ICONS,
});
markdown.core.ruler.push('heading-ids', ({ tokens }) => {
  addHeadingIds(tokens);
});
markdown.core.ruler.push('empty-headers', ({ tokens }) => {
  replaceEmptyHeaders(tokens);
});
markdown.core.ruler.push('rewrite-links', ({ tokens, env }) => {
  const { page } = env as RenderEnvironment;
  if (page) rewriteLinks(tokens, toPagePath(page.inputPath));
});
// Keyboards can scroll only what they can focus.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

// Names such as giftInfo.amount break after their dots.
markdown.renderer.rules.code_inline = (tokens, index) => {
  const code = markdown.utils.escapeHtml(tokens[index]!.content);
  return `<code>${code.replaceAll(/\.(?=[a-z])/gi, '.<wbr>')}</code>`;
};

/** Gives headings the anchors that they have on GitHub. */
function addHeadingIds(tokens: readonly Token[]): void {
  const slugger = new GithubSlugger();
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open')
      token.attrSet('id', slugger.slug(readText(tokens[index + 1]!).trim()));
  });
}

/** Turns empty header cells, which Markdown requires, into plain cells. */
function replaceEmptyHeaders(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    const content = tokens[index + 1];
    if (token.type !== 'th_open' || content?.content !== '') return;
    token.tag = 'td';
    tokens[index + 2]!.tag = 'td';
  });
}

function rewriteLinks(tokens: readonly Token[], path: string): void {
  for (const token of tokens) {
    for (const name of ['href', 'src']) {
      const url = token.attrGet(name);
      if (typeof url === 'string') token.attrSet(name, rewriteLink(url, path));
    }
    if (token.type === 'image') token.attrSet('loading', 'lazy');
    rewriteLinks(token.children ?? [], path);
  }
}

function highlightCode(code: string, info: string): string {
  const name = info.split(' ')[0]!.toLowerCase();
  const language = LANGUAGE_ALIASES[name] ?? name;
  const html = hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : markdown.utils.escapeHtml(code);
  const isWrapped = WRAPPED_LANGUAGES.has(name);
  return `<pre tabindex="0"${isWrapped ? ' class="wrapped"' : ''}><code>${html}</code></pre>`;
}

/** Returns the visible text of a block: of its inline content, or its code. */
export function readText({ type, content, children }: Token): string {
  if (type === 'fence' || type === 'code_block') return `${content}\n`;
  if (type !== 'inline') return '';
  const text = (children ?? []).map((child) =>
    ['text', 'code_inline', 'image'].includes(child.type) ? child.content : ' ',
  );
  return `${text.join('').replaceAll(/\s+/g, ' ').trim()}\n`;
}
