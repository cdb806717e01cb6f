import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
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

test('workflows pin actions by commit and have the fewest permissions', () => {
  for (const file of WORKFLOWS) {
    const text = readFileSync(file, 'utf8');
    for (const [use, action] of text.matchAll(/uses: (.+)/g)) {
      if (!action!.startsWith('./')) assert.match(use, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
    assert.deepEqual((parse(text) as { permissions: object }).permissions, { contents: 'read' });
  }
});
