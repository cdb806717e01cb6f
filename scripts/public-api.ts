import { basename } from 'node:path';
import ts from 'typescript';
import { PUBLISHED_PACKAGES } from './packages.ts';

/** An export of a published package. */
export interface PublicExport {
  /** Import specifier of its module, such as `donation-form/link`. */
  readonly module: string;
  readonly name: string;
  readonly kind: 'class' | 'function' | 'type' | 'value';
  readonly isCallable: boolean;
  /** Doc comment without tags. */
  readonly description: string;
  /** Code of the `@example` tags. */
  readonly examples: readonly string[];
}

/** The packages' importable modules, as pairs of import specifier and source file. */
const MODULES = PUBLISHED_PACKAGES.flatMap(({ manifest, entries }) =>
  Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'object' && !path.endsWith('.css')
      ? [[path.replace('.', manifest.name), entries[basename(target.default, '.js')]!] as const]
      : [],
  ),
);

let publicExports: readonly PublicExport[] | undefined;

/** Lists the exports of all published modules, sorted by name within each module. */
export function listPublicExports(): readonly PublicExport[] {
  publicExports ??= readPublicExports();
  return publicExports;
}

function readPublicExports(): PublicExport[] {
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
  return MODULES.flatMap(([module, file]) => {
    const source = program.getSourceFile(file);
    const moduleSymbol = source && checker.getSymbolAtLocation(source);
    return (moduleSymbol ? checker.getExportsOfModule(moduleSymbol) : [])
      .map((symbol) =>
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((symbol) => ({
        module,
        name: symbol.name,
        kind: getKind(symbol),
        isCallable: checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0,
        description: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        examples: symbol
          .getJsDocTags(checker)
          .filter(({ name }) => name === 'example')
          .map(({ text }) => extractCode(symbol.name, ts.displayPartsToString(text))),
      }));
  });
}

function getKind({ flags }: ts.Symbol): PublicExport['kind'] {
  const { Class, Function, Interface, TypeAlias, Variable } = ts.SymbolFlags;
  if (flags & Class) return 'class';
  if (flags & Function) return 'function';
  const isType = flags & (Interface | TypeAlias) && !(flags & Variable);
  return isType ? 'type' : 'value';
}

/** @throws {Error} if an example is not a fenced block of TypeScript. */
function extractCode(symbol: string, text: string): string {
  const code = /^```ts\n([^]*?)\n```$/.exec(text.trim())?.[1];
  if (code === undefined)
    throw new Error(`The @example of ${symbol} is not a block of code. Start it with \`\`\`ts.`);
  return code;
}
