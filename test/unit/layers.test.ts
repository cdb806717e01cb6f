import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

/**
 * For each room of `src/`: the rooms that it may import, and those of which it may import types
 * only.
 */
const ROOMS: Readonly<
  Record<
    string,
    {
      readonly may: readonly string[];
      readonly types?: readonly string[];
      readonly packages?: readonly string[];
    }
  >
> = {
  model: { may: [] },
  contract: { may: ['model'], packages: ['zod'] },
  settings: { may: ['model'], types: ['contract'], packages: ['fastest-levenshtein', 'csv-parse'] },
  form: { may: ['model', 'settings'], types: ['contract'] },
  texts: { may: ['model'] },
  payment: { may: ['model'], types: ['contract'], packages: ['@stripe/stripe-js'] },
  element: {
    may: ['form', 'settings', 'model', 'texts', 'payment'],
    types: ['contract'],
    packages: ['altcha-lib', 'lit'],
  },
  attribution: { may: ['model', 'settings'] },
  // It knows the form by its events alone.
  analytics: { may: ['model', 'settings'], types: ['element'] },
  companions: { may: ['model'], types: ['contract'] },
  frameworks: {
    may: [],
    types: ['companions', 'element'],
    packages: ['lit', 'react', 'svelte', 'vue'],
  },
  'platform/common': { may: ['model'], packages: ['fast-xml-parser', 'fast-xml-validator'] },
  'platform/fundraising': { may: ['model', 'platform/common'] },
  'platform/donation-v1': { may: ['model', 'platform/common'] },
  pages: {
    may: ['settings', 'element', 'model', 'texts', 'payment'],
    types: ['contract'],
    packages: ['lit', 'uqr'],
  },
  // Webhooks alone name the event types of both platforms: nothing else of the server knows the
  // basic-key interface.
  'server/platform-webhooks': {
    may: ['server', 'model', 'contract', 'platform/fundraising', 'platform/donation-v1'],
    packages: ['node:', 'kysely', 'pino'],
  },
  'server/site-webhooks': {
    may: ['server', 'model', 'contract'],
    packages: ['kysely', 'pino', 'standardwebhooks'],
  },
  server: {
    may: [
      'server/platform-webhooks',
      'server/site-webhooks',
      'model',
      'contract',
      'texts',
      'platform/fundraising',
    ],
    packages: [
      'node:',
      '@hono/node-server',
      'altcha-lib',
      'fastest-levenshtein',
      'hono',
      'ipaddr.js',
      'kysely',
      'pg',
      'pino',
      'prom-client',
      'rate-limiter-flexible',
      'stripe',
      'temporal-polyfill',
      'zod',
    ],
  },
  sandbox: { may: [], packages: ['node:', 'hono'] },
  cli: {
    may: ['server', 'sandbox', 'settings', 'contract', 'model'],
    packages: ['node:', 'csv-stringify'],
  },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const roomOf = (file: string): string | undefined =>
  Object.keys(ROOMS).find((room) => file.startsWith(`${room}/`));

/** Every import, export from and import() of a source file, as it would stand at run time. */
export function importsOf(file: string, text: string): Import[] {
  const imports: Import[] = [];
  const note = (specifier: ts.Node | undefined, typesOnly: boolean): void => {
    if (specifier && ts.isStringLiteral(specifier))
      imports.push({
        from: file,
        to: specifier.text.startsWith('.') ? join(dirname(file), specifier.text) : specifier.text,
        typesOnly,
      });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      note(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) note(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      note(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return imports;
}

/** What an import breaks, in words; `undefined` where it is allowed. */
function breach({ from, to, typesOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return `${from} stands in no room`;
  const { may, types = [], packages = [] } = ROOMS[room]!;
  const target = roomOf(to);
  const isAllowed =
    target === undefined
      ? packages.some(
          (name) => to === name || to.startsWith(name.endsWith(':') ? name : `${name}/`),
        )
      : target === room || may.includes(target) || (typesOnly && types.includes(target));
  return isAllowed ? undefined : `${from} imports ${to}${typesOnly ? ' (types)' : ''}`;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => relative('.', name));

test('every room imports only what it may', () => {
  const breaches = files
    .flatMap((file) => importsOf(file, readFileSync(join('src', file), 'utf8')).map(breach))
    .filter((words) => words !== undefined);
  assert.deepEqual(breaches, []);
  assert.ok(files.length > 40);
});

test('the check of rooms sees a breach', () => {
  const seen = (file: string, text: string): (string | undefined)[] =>
    importsOf(file, text).map(breach);
  assert.deepEqual(seen('element/a.ts', "import { z } from 'zod';"), ['element/a.ts imports zod']);
  assert.deepEqual(
    seen('element/a.ts', "import { donationRequest } from '../contract/donation-request.ts';"),
    ['element/a.ts imports contract/donation-request.ts'],
  );
  assert.deepEqual(seen('element/a.ts', "import type { Outcome } from '../contract/outcome.ts';"), [
    undefined,
  ]);
  assert.deepEqual(seen('sandbox/a.ts', "export * from '../platform/fundraising/wire.ts';"), [
    'sandbox/a.ts imports platform/fundraising/wire.ts',
  ]);
  assert.deepEqual(seen('payment/a.ts', "void import('../server/journal.ts');"), [
    'payment/a.ts imports server/journal.ts',
  ]);
  assert.deepEqual(seen('model/a.ts', "import '../texts/en.ts';"), [
    'model/a.ts imports texts/en.ts',
  ]);
});
