import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import {
  findPlaceholders,
  findReleaseProblems,
  listPlaceholders,
} from '../../scripts/check-release.ts';
import { readVersion, VERSION_COPIES, VERSIONED_WORKSPACES } from '../../scripts/version.ts';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const WORKFLOWS = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);
const COMMUNITY_PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];

test('the README has at most 500 words', () => {
  const words = readFileSync('README.md', 'utf8').split(/\s+/).filter(Boolean);
  assert.ok(words.length <= 500, `${words.length} words`);
});

test('local links and paths in the community pages point to files', () => {
  for (const page of COMMUNITY_PAGES) {
    const text = readFileSync(page, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    const paths = [...text.matchAll(/`((?:\.github|docs|scripts|src|test)\/[\w./-]+)`/g)];
    for (const [, path] of [...links, ...paths]) assert.ok(existsSync(path!), `${page}: ${path}`);
  }
});

test('every file that repeats the version has the version of the published packages', () => {
  const [version, ...others] = VERSIONED_WORKSPACES.map(readVersion);
  for (const other of others) assert.equal(other, version);
  for (const { file, pattern } of VERSION_COPIES) {
    assert.equal(pattern.exec(readFileSync(file, 'utf8'))?.[0], version, file);
  }
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  for (const folder of ['', ...VERSIONED_WORKSPACES]) {
    assert.equal(lock.packages[folder]?.version, version, `package-lock.json: ${folder || 'root'}`);
  }
});

test('editors, CI, the Docker image, and npm scripts use the same version of Node', () => {
  const version = manifest.devDependencies.node!;
  assert.equal(readFileSync('.nvmrc', 'utf8').trim(), version);
  assert.equal(manifest.engines.node, `>=${version.split('.')[0]}`);
  const images = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM node:([\d.]+)/gm)];
  assert.deepEqual(
    images.map(([, image]) => image),
    [version, version],
  );
  for (const file of WORKFLOWS) {
    const pinned = [...readFileSync(file, 'utf8').matchAll(/node-version: (\S+)/g)];
    for (const [, node] of pinned) assert.equal(node, version, file);
  }
});

test('the release checklist lists exactly the files with placeholders', () => {
  assert.deepEqual(listPlaceholders().sort(), findPlaceholders().sort());
});

test('every changeset names published packages, as the release command requires', () => {
  const { fixed } = JSON.parse(readFileSync('.changeset/config.json', 'utf8')) as {
    fixed: string[][];
  };
  for (const file of readdirSync('.changeset').filter((name) => name.endsWith('.md')))
    for (const [, name] of readFileSync(`.changeset/${file}`, 'utf8').matchAll(/^'(.+)':/gm))
      assert.ok(fixed.flat().includes(name!), `${file}: ${name}`);
});

test('a release is refused if its tag is not the version', () => {
  const version = readVersion(VERSIONED_WORKSPACES[0]!);
  const expected = `expected v${version}.`;
  assert.ok(findReleaseProblems('v999.0.0').some((problem) => problem.endsWith(expected)));
  assert.ok(!findReleaseProblems(`v${version}`).some((problem) => problem.endsWith(expected)));
});

test("workflows follow GitHub's schema", async () => {
  const findErrors = await loadWorkflowParser();
  assert.deepEqual(findErrors('wrong.yml', 'on: push\njobs: { a: { runs-on: x, step: [] } }'), [
    "wrong.yml (Line: 2, Col: 26): Unexpected value 'step'",
  ]);
  for (const file of WORKFLOWS) {
    assert.deepEqual(findErrors(file, readFileSync(file, 'utf8')), []);
  }
});

test('workflows pin actions by commit and have the fewest permissions', () => {
  for (const file of WORKFLOWS) {
    const text = readFileSync(file, 'utf8');
    for (const [use, action] of text.matchAll(/uses: (.+)/g)) {
      if (!action!.startsWith('./')) assert.match(use, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
    assert.deepEqual((parse(text) as { permissions: object }).permissions, { contents: 'read' });
  }
});

test('CI installs and tests with the commands of the README', () => {
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
    jobs: { test: { container: { image: string }; steps: { run?: string }[] } };
  };
  const commands = jobs.test.steps.map(({ run }) => run);
  assert.ok(commands.includes('npm ci') && commands.includes('npm test'));
  assert.match(readFileSync('README.md', 'utf8'), /^npm test\b/m);
  assert.equal(jobs.test.container.image, 'debian:12');
});

test('issue forms have the fields that GitHub requires', () => {
  for (const name of ['bug', 'feature']) {
    const file = `.github/ISSUE_TEMPLATE/${name}.yml`;
    const form = parse(readFileSync(file, 'utf8')) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
    };
    assert.ok(form.name && form.description, file);
    const ids = form.body.flatMap(({ id }) => id ?? []);
    assert.equal(new Set(ids).size, ids.length, file);
    for (const { type, attributes } of form.body) {
      assert.match(type, /^(checkboxes|dropdown|input|markdown|textarea)$/);
      assert.ok(type === 'markdown' ? attributes.value : attributes.label, file);
    }
  }
});

/**
 * Loads GitHub's own parser of workflows. Node cannot import the package, which imports JSON without
 * the attribute that Node requires, so this bundles it first.
 */
async function loadWorkflowParser(): Promise<(name: string, content: string) => string[]> {
  const bundle = await rolldown({ input: '@actions/workflow-parser', platform: 'node' });
  const file = resolve('node_modules/.cache/workflow-parser.mjs');
  await bundle.write({ file, format: 'es' });
  await bundle.close();
  const { parseWorkflow, NoOperationTraceWriter } = (await import(pathToFileURL(file).href)) as {
    parseWorkflow: (
      file: { name: string; content: string },
      trace: unknown,
    ) => { context: { errors: { getErrors: () => { message: string }[] } } };
    NoOperationTraceWriter: new () => unknown;
  };
  return (name, content) =>
    parseWorkflow({ name, content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message);
}
