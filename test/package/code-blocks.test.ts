import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { listPublicExports } from '../../scripts/public-api.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { type CodeBlock, DOCUMENTATION_PAGES, extractCodeBlocks } from '../code-blocks.ts';

const blocks = DOCUMENTATION_PAGES.flatMap(extractCodeBlocks);
const filterBlocks = (...languages: string[]): CodeBlock[] =>
  blocks.filter(({ language }) => languages.includes(language));
const formatLocation = ({ page, line }: CodeBlock): string => `${page}:${line}`;
/** Examples in the doc comments of the packages' exports. */
const EXAMPLES: readonly CodeBlock[] = listPublicExports().flatMap(({ module, name, examples }) =>
  examples.map((code, index) => ({
    page: `${module} ${name}`,
    line: index + 1,
    language: 'ts',
    name: '',
    code,
  })),
);
/** Fragments that cannot run by themselves, with the test that checks them. */
const CHECKED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/server/reverse-proxy.md nginx': 'test/server/deploy.test.ts',
  'docs/server/embedding.md js': 'test/server/deploy.test.ts',
  'docs/install/react.md tsx': 'test/package/frameworks.test.ts',
  'docs/install/vue.md vue': 'test/package/frameworks.test.ts',
  'docs/install/vue.md js': 'test/package/frameworks.test.ts',
  'docs/install/svelte.md svelte': 'test/package/frameworks.test.ts',
  'docs/install/angular.md ts': 'test/package/frameworks.test.ts',
  'docs/install/wordpress.md php': 'integrations/wordpress/test/plugin.spec.ts',
  'docs/reference/payment-providers.md js': 'test/e2e/custom-payment-provider.spec.ts',
  'docs/server/backups.md sql': 'test/server/database/backup.postgres.test.ts',
  'docs/server/changing-keys.md sql': 'test/server/donations/donor-index.database.test.ts',
  'docs/reference/theming.md css': 'test/unit/theming.test.ts',
};

test('a test checks every kind of code block in the documentation', () => {
  assert.ok(blocks.length > 60);
  const untried = blocks.filter(
    ({ page, language }) =>
      !['text', 'html', 'js', 'ts', 'json', 'sh', 'yaml'].includes(language) &&
      !(`${page} ${language}` in CHECKED_ELSEWHERE),
  );
  assert.deepEqual(untried.map(formatLocation), []);
  for (const [block, file] of Object.entries(CHECKED_ELSEWHERE))
    assert.ok(
      readFileSync(file, 'utf8').includes(basename(block.split(' ')[0]!, '.md')),
      `${file} reads ${block}`,
    );
});

test('JSON blocks are valid JSON or fields of an object', () => {
  for (const block of filterBlocks('json')) {
    const isJson = [block.code, `{${block.code}}`, `[${block.code}]`].some((text) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    });
    assert.ok(isJson, formatLocation(block));
  }
});

test('YAML blocks are valid YAML', () => {
  for (const block of filterBlocks('yaml'))
    assert.deepEqual(
      parseAllDocuments(block.code).flatMap(({ errors }) => errors),
      [],
      formatLocation(block),
    );
});

test('shell blocks are valid, and their npm scripts and donation-form commands exist', () => {
  const scripts = Object.keys(
    (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts,
  );
  const { stdout: help } = spawnSync(process.execPath, ['src/server/cli/index.ts', '--help'], {
    encoding: 'utf8',
  });
  const commands = [...help.matchAll(/^ {2}([a-z-]+(?: [a-z]+)*)(?= <| {2}|$)/gm)].map(
    ([, command]) => command!,
  );
  assert.ok(commands.length > 15);
  for (const block of filterBlocks('sh')) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: block.code.replace(/<(\w[\w ]*)>/g, '$1'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${formatLocation(block)}: ${stderr}`);
  }
  for (const block of filterBlocks('sh', 'text')) {
    for (const [, script] of block.code.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
      assert.ok(scripts.includes(script!), `${formatLocation(block)}: npm run ${script}`);
    for (const [, words] of block.code.matchAll(
      /(?:^|[\s;&])donation-form (?:-- )?([a-z]+(?:-[a-z]+)*(?: [a-z]+){0,2})/gm,
    ))
      assert.ok(
        commands.some((command) => `${words} `.startsWith(`${command} `)),
        `${formatLocation(block)}: donation-form ${words}`,
      );
  }
});

test('scripts type-check and import what the package exports', () => {
  const documented = filterBlocks('js', 'ts').filter(
    ({ page, language }) => !(`${page} ${language}` in CHECKED_ELSEWHERE),
  );
  assert.ok(EXAMPLES.length > 20);
  const files = new Map(
    [...documented, ...EXAMPLES].map((block) => [
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
          `${formatLocation(block)}: TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
  );
  assert.deepEqual(mistakes, []);
});

test('HTML blocks use only attributes that the element has', () => {
  const names = DonationFormElement.observedAttributes;
  let count = 0;
  for (const block of filterBlocks('html')) {
    for (const [, written = ''] of block.code.matchAll(/<donation-(?:form|button)([^>]*)>/g)) {
      for (const [, name] of written.matchAll(/ ([a-z-]+)(?==|\s|$)/g)) {
        count += 1;
        assert.ok(
          [...names, 'class', 'id', 'lang', 'style'].includes(name!),
          `${formatLocation(block)}: ${name}`,
        );
      }
    }
    for (const [, name] of block.code.matchAll(/data-donation-form[^>]*? data-([a-z-]+)=/g))
      assert.ok(names.includes(name!), `${formatLocation(block)}: data-${name}`);
  }
  assert.ok(count > 5);
});

/** Lists the anchors of a page's headings, as GitHub generates them. */
function listAnchors(page: string): string[] {
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

test('links to files and headings are not broken', () => {
  const lost = DOCUMENTATION_PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const path = file === '' ? page : normalize(join(dirname(page), file));
        return (
          !existsSync(path) ||
          (anchor !== undefined && path.endsWith('.md') && !listAnchors(path).includes(anchor))
        );
      })
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(lost, []);
});
