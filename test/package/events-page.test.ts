import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { Frequency } from '../../src/core/donation/frequency.ts';
import { extractCodeBlocks } from '../code-blocks.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';
import { outcome } from '../response-schemas.ts';

const PAGE = 'docs/reference/events.md';
const page = readFileSync(PAGE, 'utf8');
const eventsSection = page.split('\n## Events')[1]!.split('\n### gift')[0]!;
const eventRows = extractTableRows(eventsSection).filter(([name]) =>
  name!.startsWith('`donation-'),
);
const fieldRows = extractTableRows(eventsSection).filter(
  ([name]) => !name!.startsWith('`donation-'),
);
const readFields = (heading: string): string[] =>
  extractTableRows(page, heading).map(([name]) => extractCode(name!)[0]!);

const options = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile.bind(ts.sys)).config,
  ts.sys,
  '.',
).options;
const ENTRY = 'src/donation-form/index.ts';
const program = ts.createProgram([ENTRY], options);
const checker = program.getTypeChecker();
const source = program.getSourceFile(ENTRY)!;
const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);

function getExportedType(name: string): ts.Type {
  const symbol = exports.find((candidate) => candidate.name === name)!;
  return checker.getDeclaredTypeOfSymbol(
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
}

/** Lists the public properties of a type that the project itself declares. */
function listProperties(type: ts.Type): string[] {
  return type
    .getProperties()
    .filter(({ declarations = [], name }) =>
      declarations.every(
        (declaration) =>
          !program.isSourceFileDefaultLibrary(declaration.getSourceFile()) && !name.startsWith('#'),
      ),
    )
    .map(({ name }) => name);
}

const events = getExportedType('DonationFormEventMap')
  .getProperties()
  .map((symbol) => ({
    name: symbol.name,
    type: checker.typeToString(checker.getTypeOfSymbol(symbol)),
    fields: listProperties(checker.getTypeOfSymbol(symbol)),
  }));

test('docs/reference/events.md lists every event with its fields and type', () => {
  assert.ok(events.length >= 10);
  assert.deepEqual(
    eventRows
      .map(([name, , fields, type]) => [
        extractCode(name!)[0],
        extractCode(fields!).sort(),
        extractCode(type!)[0],
      ])
      .sort(),
    events.map(({ name, fields, type }) => [name, fields.sort(), type]).sort(),
  );
});

test('docs/reference/events.md describes every field of the events', () => {
  assert.deepEqual(
    fieldRows.map(([name]) => extractCode(name!)[0]).sort(),
    [...new Set(events.flatMap(({ fields }) => fields))].sort(),
  );
});

test('docs/reference/events.md describes every field of gift and of the response', () => {
  assert.deepEqual(
    readFields('gift').sort(),
    [
      ...new Set(
        ['DisplayedGift', 'SubmittedGift'].flatMap((name) => listProperties(getExportedType(name))),
      ),
    ].sort(),
  );
  assert.deepEqual(
    readFields('response').sort(),
    listProperties(getExportedType('DonateResponse')).sort(),
  );
  const [, , meaning] = extractTableRows(page, 'response').at(-1)!;
  for (const name of listProperties(getExportedType('ProjectSplit')))
    assert.ok(meaning!.includes(`\`${name}\``), name);
  const frequencies = extractTableRows(page, 'response').find(
    ([name]) => name === '`frequency`',
  )![2]!;
  assert.deepEqual(
    [...frequencies.matchAll(/\d+/g)].map(([code]) => Number(code)),
    Object.values(Frequency),
  );
});

test('docs/reference/events.md shows an event as the form dispatches it', () => {
  const shown = extractCodeBlocks(PAGE).find(({ language }) => language === 'json')!;
  const { reference, gift, response, ...others } = JSON.parse(shown.code) as {
    reference: string;
    gift: Record<string, unknown>;
    response: { amount: number };
  };
  const { decimals, ...serverGift } = gift;
  outcome.parse({
    reference,
    response,
    gift: serverGift,
    status: 'succeeded',
    provider: 'stripe',
  });
  assert.deepEqual(
    ['reference', 'gift', 'response', ...Object.keys(others)].sort(),
    events.find(({ name }) => name === 'donation-form-success')!.fields.sort(),
  );
  assert.deepEqual(
    Object.keys(gift).sort(),
    listProperties(getExportedType('SubmittedGift')).sort(),
  );
  assert.equal(
    serverGift.amount,
    (serverGift.total as number) - (serverGift.coveredFees as number),
  );
  assert.equal(response.amount, (serverGift.total as number) / 10 ** (decimals as number));
});

interface Declaration {
  readonly tagName?: string;
  readonly members?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly privacy?: string;
    readonly static?: boolean;
    readonly description?: string;
    readonly attribute?: string;
  }[];
  readonly slots?: readonly { readonly name: string }[];
}

test('docs/reference/events.md lists every method, slot, and property without an attribute', () => {
  const manifest = JSON.parse(readFileSync('dist/donation-form/custom-elements.json', 'utf8')) as {
    modules: readonly { readonly declarations?: readonly Declaration[] }[];
  };
  const elements = manifest.modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName !== undefined);
  assert.equal(elements.length, 3);
  const rows = extractTableRows(page, 'Elements');
  let current = '';
  const listed = rows.flatMap(([element, member]) => {
    current = extractCode(element!)[0] ?? current;
    const names = member!.startsWith('default slot') ? ['(default)'] : extractCode(member!);
    return names.map((name) => `${current} ${name}`);
  });
  const expected = elements.flatMap(({ tagName, members = [], slots = [] }) => [
    ...members
      .filter(
        ({ static: isStatic, privacy = 'public', description, attribute }) =>
          isStatic !== true &&
          privacy === 'public' &&
          description !== undefined &&
          attribute === undefined,
      )
      .map(({ kind, name }) => `<${tagName}> ${name}${kind === 'method' ? '()' : ''}`),
    ...slots.map(({ name }) => `<${tagName}> ${name || '(default)'}`),
  ]);
  assert.deepEqual(listed.sort(), expected.sort());
});
