import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { codeBlocks, PAGES, type CodeBlock } from '../code-blocks.ts';

const blocks = PAGES.flatMap(codeBlocks);
const of = (...languages: string[]): CodeBlock[] =>
  blocks.filter(({ language }) => languages.includes(language));
const at = ({ page, line }: CodeBlock): string => `${page}:${line}`;
/** Blocks that are nothing to run by themselves, and the test that tries them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/deploy.md nginx': 'test/server/deploy.test.ts',
  'docs/deploy.md js': 'test/server/deploy.test.ts',
  ...Object.fromEntries(
    ['tsx', 'ts', 'vue', 'svelte', 'js'].map((language) => [
      `docs/frameworks.md ${language}`,
      'test/package/frameworks.test.ts',
    ]),
  ),
  'docs/install.md php': 'test/wordpress/plugin.spec.ts',
  'docs/payment-providers.md js': 'test/server/payment/documented.test.ts',
  'docs/records.md sql': 'test/server/records/backup.postgres.test.ts',
  'docs/theming.md css': 'test/unit/theming.test.ts',
};

test('every block of code in the documentation is of a kind that a test tries', () => {
  assert.ok(blocks.length > 60);
  const untried = blocks.filter(
    ({ page, language }) =>
      !['text', 'html', 'js', 'ts', 'json', 'sh', 'yaml'].includes(language) &&
      !(`${page} ${language}` in ELSEWHERE),
  );
  assert.deepEqual(untried.map(at), []);
  for (const [block, file] of Object.entries(ELSEWHERE))
    assert.ok(
      readFileSync(file, 'utf8').includes(block.split(' ')[0]!.replace('docs/', '')),
      `${file} reads ${block}`,
    );
});

test('JSON in the documentation is JSON, or fields of an object', () => {
  for (const block of of('json')) {
    const isJson = [block.code, `{${block.code}}`, `[${block.code}]`].some((text) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    });
    assert.ok(isJson, at(block));
  }
});

test('YAML in the documentation is YAML', () => {
  for (const block of of('yaml'))
    assert.deepEqual(
      parseAllDocuments(block.code).flatMap(({ errors }) => errors),
      [],
      at(block),
    );
});

test('commands in the documentation are ones of a shell, of this package and of its command', () => {
  const scripts = Object.keys(
    (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts,
  );
  const { stdout: help } = spawnSync(process.execPath, ['src/server/cli/index.ts', '--help'], {
    encoding: 'utf8',
  });
  const commands = [...help.matchAll(/^ {2}donation-form ((?:[a-z-]+ ?)+)/gm)].map(([, words]) =>
    words!.trim(),
  );
  assert.ok(commands.length > 15);
  for (const block of of('sh')) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: block.code.replace(/<(\w[\w ]*)>/g, '$1'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${at(block)}: ${stderr}`);
  }
  for (const block of of('sh', 'text')) {
    for (const [, script] of block.code.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
      assert.ok(scripts.includes(script!), `${at(block)}: npm run ${script}`);
    for (const [, words] of block.code.matchAll(
      /(?:^|[\s;&])donation-form (?:-- )?([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm,
    )) {
      const [first, second] = words!.split(' ');
      assert.ok(
        commands.some((command) => command === first || command === `${first} ${second}`),
        `${at(block)}: donation-form ${words}`,
      );
    }
  }
});

test('scripts in the documentation have no mistake, and import what the package exports', () => {
  const files = new Map(
    of('js', 'ts')
      .filter(({ page, language }) => !(`${page} ${language}` in ELSEWHERE))
      .map((block) => [
        `${process.cwd()}/${block.page.replace(/\W/g, '-')}-${block.line}.${block.language === 'ts' ? 'ts' : 'mjs'}`,
        block,
      ]),
  );
  const options: ts.CompilerOptions = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    strict: false,
    noImplicitAny: false,
    types: ['node'],
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name)?.code ?? readFile(name);
  host.getSourceFile = (name, ...rest) =>
    files.has(name)
      ? ts.createSourceFile(name, files.get(name)!.code, ts.ScriptTarget.ES2024, true)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([...files.keys()], options, host);
  const mistakes = [...files].flatMap(([name, block]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(
        ({ code, messageText }) =>
          `${at(block)}: TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
  );
  assert.deepEqual(mistakes, []);
});

test('tags in the documentation have attributes that the element has', () => {
  const names = DonationFormElement.observedAttributes;
  let count = 0;
  for (const block of of('html')) {
    for (const [, written = ''] of block.code.matchAll(/<donation-(?:form|button)([^>]*)>/g)) {
      for (const [, name] of written.matchAll(/ ([a-z-]+)(?==|\s|$)/g)) {
        count += 1;
        assert.ok(
          [...names, 'class', 'id', 'lang', 'style'].includes(name!),
          `${at(block)}: ${name}`,
        );
      }
    }
    for (const [, name] of block.code.matchAll(/data-donation-form[^>]*? data-([a-z-]+)=/g))
      assert.ok(names.includes(name!), `${at(block)}: data-${name}`);
  }
  assert.ok(count > 5);
});

/** The anchors of a page's headings, as forges make them. */
function anchorsOf(page: string): string[] {
  const headings = [
    ...readFileSync(page, 'utf8')
      .replace(/^( *)```[^]*?^\1```$/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return headings.map((anchor, index) => {
    const earlier = headings.slice(0, index).filter((other) => other === anchor).length;
    return earlier > 0 ? `${anchor}-${earlier}` : anchor;
  });
}

test('every link of the documentation to a file or a heading leads there', () => {
  const lost = PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const path = file === '' ? page : normalize(join(dirname(page), file));
        return (
          !existsSync(path) ||
          (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor))
        );
      })
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(lost, []);
});
