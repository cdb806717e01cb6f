/**
 * Checks that the repository is ready for a release.
 *
 * Usage: node scripts/check-release.ts TAG
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readVersion, VERSIONED_WORKSPACES } from './version.ts';

/** The release checklist, which lists the files with placeholders. */
const CHECKLIST = 'CONTRIBUTING.md';

/** Placeholders for the repository's URL and contact addresses. */
const PLACEHOLDER = /OWNER\/REPOSITORY|@EXAMPLE\.ORG/;

/** Finds the tracked files that have a placeholder, apart from the checklist. */
export function findPlaceholders(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
    .filter((file) => file !== CHECKLIST && existsSync(file))
    .filter((file) => PLACEHOLDER.test(readFileSync(file, 'latin1')));
}

/** Lists the files that the release checklist says have a placeholder. */
export function listPlaceholders(): string[] {
  const [, list = ''] =
    /<!-- placeholders -->([^]*?)<!-- end -->/.exec(readFileSync(CHECKLIST, 'utf8')) ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
}

/** @param tag name of the Git tag, such as `v0.2.0`. */
export function findReleaseProblems(tag: string): string[] {
  const version = readVersion(VERSIONED_WORKSPACES[0]!);
  const changesets = readdirSync('.changeset').filter((file) => /^(?!README).*\.md$/.test(file));
  const changelogs = VERSIONED_WORKSPACES.map((folder) => `${folder}/CHANGELOG.md`);
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}; expected v${version}.`]),
    ...changesets.map((file) => `Run npm run version-packages: .changeset/${file} is pending.`),
    ...changelogs
      .filter((file) => !readFileSync(file, 'utf8').includes(`\n## ${version}\n`))
      .map((file) => `Describe ${version} in ${file}.`),
    ...changelogs
      .filter((file) => readFileSync(file, 'utf8').includes('\nNot released yet.\n'))
      .map((file) => `Remove "Not released yet." from ${file}.`),
    ...findPlaceholders().map((file) => `Replace the placeholder in ${file}.`),
  ];
}

if (import.meta.main) {
  const problems = findReleaseProblems(process.argv[2] ?? '');
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
