/**
 * Writes `docs/reference/api.md`: the elements, from the custom elements manifest in `dist`, and the exports
 * of the packages' entries, from their sources.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatMarkdown } from './format-markdown.ts';
import { listPublicExports, type PublicExport } from './public-api.ts';

interface Described {
  readonly name?: string;
  readonly description?: string;
}
interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly privacy?: string;
  readonly static?: boolean;
  readonly type?: { readonly text: string };
  readonly attribute?: string;
  readonly return?: { readonly type: { readonly text: string } };
}
interface Declaration extends Described {
  readonly tagName?: string;
  readonly attributes?: readonly (Described & { readonly type?: { readonly text: string } })[];
  readonly members?: readonly Member[];
  readonly events?: readonly Described[];
  readonly slots?: readonly Described[];
  readonly cssParts?: readonly Described[];
  readonly cssProperties?: readonly Described[];
}

const formatCell = (text = ''): string =>
  text
    .replace(/\{@link (\S+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
const formatCode = (text: string): string => `\`${formatCell(text)}\``;
const getFirstSentence = (text: string): string =>
  formatCell(/^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text);

/** Renders a table under a heading, or nothing if it has no rows. */
function renderTable(
  heading: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `### ${heading}\n\n${lines.join('\n')}\n\n`;
}

function renderElement({
  tagName,
  description = '',
  attributes = [],
  members = [],
  events = [],
  slots = [],
  cssParts = [],
  cssProperties = [],
}: Declaration): string {
  const publicMembers = members.filter(
    (member) =>
      member.static !== true &&
      (member.privacy ?? 'public') === 'public' &&
      member.description !== undefined,
  );
  const properties = publicMembers.filter(
    ({ kind, attribute }) => kind === 'field' && attribute === undefined,
  );
  const methods = publicMembers.filter(({ kind }) => kind === 'method');
  const tables = [
    renderTable(
      'Attributes',
      ['name', 'type', 'description'],
      attributes.map((attribute) => [
        formatCode(attribute.name ?? ''),
        formatCode((attribute.type?.text ?? 'string').replace(/ \| (null|undefined)/g, '')),
        formatCell(attribute.description),
      ]),
    ),
    renderTable(
      'Properties without an attribute',
      ['name', 'type', 'description'],
      properties.map((property) => [
        formatCode(property.name ?? ''),
        formatCode(property.type?.text ?? ''),
        formatCell(property.description),
      ]),
    ),
    renderTable(
      'Methods',
      ['name', 'returns', 'description'],
      methods.map((method) => [
        formatCode(`${method.name}()`),
        formatCode(method.return?.type.text ?? 'void'),
        formatCell(method.description),
      ]),
    ),
    renderTable('Events', ['name', 'when'], toTableRows(events)),
    renderTable('Slots', ['name', 'content'], toTableRows(slots)),
    renderTable('Parts', ['name', 'description'], toTableRows(cssParts)),
    renderTable('Custom properties', ['name', 'sets'], toTableRows(cssProperties)),
  ];
  return `## \`<${tagName}>\`\n\n${description.trim()}\n\n${tables.join('')}`;
}

/** The slot without a name is the default slot. */
function toTableRows(items: readonly Described[]): string[][] {
  return items.map(({ name, description }) => [
    name ? formatCode(name) : '(default)',
    formatCell(description),
  ]);
}

/** Renders a table of each module's exports, followed by their examples. */
function renderModules(): string {
  const exports = listPublicExports();
  const modules = [...new Set(exports.map(({ module }) => module))];
  return modules
    .map((module) =>
      renderModule(
        module,
        exports.filter((symbol) => symbol.module === module),
      ),
    )
    .join('');
}

function renderModule(module: string, exports: readonly PublicExport[]): string {
  const rows = exports.map(({ name, kind, description }) => [
    formatCode(name),
    kind,
    getFirstSentence(description),
  ]);
  const examples = exports.flatMap((symbol) =>
    symbol.examples.map((code) => `#### ${symbol.name}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n`),
  );
  const table = renderTable(`\`${module}\``, ['name', 'kind', 'description'], rows);
  return table + examples.join('');
}

export async function renderApiPage(): Promise<string> {
  const { modules } = JSON.parse(
    readFileSync('dist/donation-form/custom-elements.json', 'utf8'),
  ) as {
    modules: readonly { readonly declarations?: readonly Declaration[] }[];
  };
  const elements = modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName !== undefined);
  const introduction = [
    'The public interface of the elements and the packages.',
    '`npm run docs:reference` generates this page from the code.',
    '[settings.md](settings.md) describes how the form reads settings,',
    'and [configuration.md](configuration.md) what a server can offer.',
    'The HTTP interface between form and server is internal and changes between releases.',
  ].join(' ');
  return formatMarkdown(`# API

${introduction}

${elements.map(renderElement).join('')}## Modules

${renderModules()}`);
}

if (import.meta.main) writeFileSync('docs/reference/api.md', await renderApiPage());
