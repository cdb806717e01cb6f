/**
 * Writes `docs/api.md`: the elements, from the manifest that `npm run build` makes, and what each
 * entry of the package exports, from its sources.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { formatMarkdown } from './format-markdown.ts';
import { BROWSER_PACKAGE, SERVER_PACKAGE } from './packages.ts';

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

const inCell = (text = ''): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const code = (text: string): string => `\`${inCell(text)}\``;
const firstSentence = (text: string): string =>
  inCell(/^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text);

/** A table under a heading; nothing where it has no rows. */
function section(
  heading: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0
    ? ''
    : `### ${heading}\n\n${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n`;
}

function elementSection({
  tagName,
  description,
  attributes = [],
  members = [],
  events = [],
  slots = [],
  cssParts = [],
  cssProperties = [],
}: Declaration): string {
  const open = members.filter(
    (member) =>
      member.static !== true &&
      (member.privacy ?? 'public') === 'public' &&
      member.description !== undefined,
  );
  const named = (items: readonly Described[]): string[][] =>
    items.map(({ name, description: what }) => [name ? code(name) : '(default)', inCell(what)]);
  return `## \`<${tagName}>\`\n\n${(description ?? '').trim()}\n\n${[
    section(
      'Attributes',
      ['name', 'type', 'means'],
      attributes.map(({ name = '', type, description: what }) => [
        code(name),
        code((type?.text ?? 'string').replace(/ \| (null|undefined)/g, '')),
        inCell(what),
      ]),
    ),
    section(
      'Properties without an attribute',
      ['name', 'type', 'means'],
      open
        .filter(({ kind, attribute }) => kind === 'field' && attribute === undefined)
        .map(({ name = '', type, description: what }) => [
          code(name),
          code(type?.text ?? ''),
          inCell(what),
        ]),
    ),
    section(
      'Methods',
      ['name', 'answers', 'does'],
      open
        .filter(({ kind }) => kind === 'method')
        .map(({ name = '', return: answer, description: what }) => [
          code(`${name}()`),
          code(answer?.type.text ?? 'void'),
          inCell(what),
        ]),
    ),
    section('Events', ['name', 'when'], named(events)),
    section('Slots', ['name', 'holds'], named(slots)),
    section('Parts', ['name', 'is'], named(cssParts)),
    section('Custom properties', ['name', 'sets'], named(cssProperties)),
  ].join('')}`;
}

/** The modules that programs import, by the name of the import, with their source files. */
const MODULES = [BROWSER_PACKAGE, SERVER_PACKAGE].flatMap(({ manifest, entries }) =>
  Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'object'
      ? [[path.replace('.', manifest.name), entries[basename(target.default, '.js')]!] as const]
      : [],
  ),
);

/** What the packages' entries export, by name, with the first sentence that is said of each. */
function entrySections(): string {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile.bind(ts.sys)).config,
    ts.sys,
    '.',
  );
  const program = ts.createProgram(
    MODULES.map(([, file]) => file),
    options,
  );
  const checker = program.getTypeChecker();
  return MODULES.map(([name, file]) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    const exported = (symbol ? checker.getExportsOfModule(symbol) : []).map((one) =>
      one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one,
    );
    const rows = exported
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((one) => [
        code(one.name),
        kindOf(one),
        firstSentence(ts.displayPartsToString(one.getDocumentationComment(checker))),
      ]);
    return section(`\`${name}\``, ['name', '', 'is'], rows);
  }).join('');
}

function kindOf({ flags }: ts.Symbol): string {
  const { Class, Function, Interface, TypeAlias, Variable } = ts.SymbolFlags;
  if (flags & Class) return 'class';
  if (flags & Function) return 'function';
  const isType = flags & (Interface | TypeAlias) && !(flags & Variable);
  return isType ? 'type' : 'value';
}

export async function page(): Promise<string> {
  const { modules } = JSON.parse(
    readFileSync('dist/donation-form/custom-elements.json', 'utf8'),
  ) as {
    modules: readonly { readonly declarations?: readonly Declaration[] }[];
  };
  const elements = modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName !== undefined);
  return formatMarkdown(`# API

What pages and programs can use, made from the code by \`npm run docs\`. [settings.md](settings.md) says how settings are read, [configuration.md](configuration.md) what an endpoint offers; the HTTP interface between form and endpoint is not for others, and changes with releases.

${elements.map(elementSection).join('')}## The packages' entries

${entrySections()}`);
}

if (import.meta.main) writeFileSync('docs/api.md', await page());
