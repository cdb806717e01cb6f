import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

/** Files with code that runs on other websites' pages. */
const FILES = globSync(['src/donation-form/**/*.ts', 'src/core/**/*.ts'], {
  // These run on the server, or only on its own pages.
  exclude: ['src/core/schemas/**', 'src/core/settings/check-links-in-csv.ts'],
});
/** Uses in the files that replace these uses elsewhere. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/donation-form/page/stringify-json.ts': 'JSON.stringify',
  'src/donation-form/events/form-event.ts': 'the class CustomEvent',
};
/** Names of DOM collections, whose iterators polyfills remove. */
const DOM_COLLECTION =
  /^(NodeList(Of)?|.*Collection(Of|Base)?|DOMTokenList|NamedNodeMap|.*SheetList|CSSRuleList|FileList|DOMRectList)$/;
/** Classes that pages define for their own purposes. */
const REPLACED_CLASSES = [
  'Event',
  'CustomEvent',
  'Node',
  'Element',
  'Text',
  'Range',
  'Option',
  'Request',
  'Comment',
];
/** Functions that old libraries replace with different ones: MooTools 1.4 and Prototype 1.6. */
const REPLACED_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  Array: ['entries', 'reduce'],
  ReadonlyArray: ['entries', 'reduce'],
  ArrayConstructor: ['from'],
  JSON: ['stringify'],
};

test('code on other pages does not use what these pages replace', () => {
  const program = ts.createProgram([...FILES], {
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const findings: string[] = [];

  const getTypeName = (node: ts.Node): string =>
    checker.getTypeAtLocation(node).getSymbol()?.name ?? '';

  function isGlobal(node: ts.Node): boolean {
    const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
    return (
      declaration !== undefined && program.isSourceFileDefaultLibrary(declaration.getSourceFile())
    );
  }

  function findIteration(node: ts.Node): ts.Node | undefined {
    if (ts.isSpreadElement(node) || ts.isForOfStatement(node)) return node.expression;
    return ts.isVariableDeclaration(node) && ts.isArrayBindingPattern(node.name)
      ? node.initializer
      : undefined;
  }

  function describeUse(node: ts.Node): string | undefined {
    const iterated = findIteration(node);
    if (iterated && DOM_COLLECTION.test(getTypeName(iterated)))
      return `the iterator of ${getTypeName(iterated)}`;
    if (ts.isPropertyAccessExpression(node)) {
      const owner = getTypeName(node.expression);
      if (REPLACED_FUNCTIONS[owner]?.includes(node.name.text)) return `${owner}.${node.name.text}`;
    }
    const isValue = ts.isIdentifier(node) && ts.isExpression(node.parent);
    return isValue && REPLACED_CLASSES.includes(node.text) && isGlobal(node)
      ? `the class ${node.text}`
      : undefined;
  }

  function visit(node: ts.Node, file: string): void {
    const use = describeUse(node);
    if (use !== undefined && EXCEPTIONS[file] !== use) {
      const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
      findings.push(`${file}:${line + 1}: ${use}`);
    }
    ts.forEachChild(node, (child) => visit(child, file));
  }

  for (const file of FILES) visit(program.getSourceFile(file)!, relative('.', file));
  assert.deepEqual(findings, []);
});
