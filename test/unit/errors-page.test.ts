import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FAILURE_REASONS } from '../../src/core/donation/donation-status.ts';
import { enSubmission } from '../../src/core/i18n/en-submission.ts';
import { PROBLEMS } from '../../src/core/schemas/problem.ts';
import { Problem } from '../../src/server/lib/problem.ts';
import { extractCodeBlocks } from '../code-blocks.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';
import { problemDetails } from '../response-schemas.ts';

const PAGE = 'docs/reference/errors.md';
const page = readFileSync(PAGE, 'utf8');
const listCodes = (heading: string): string[] =>
  extractTableRows(page, heading).map(([code]) => extractCode(code!)[0]!);

test('docs/reference/errors.md lists every problem of the server with its status', () => {
  const rows = extractTableRows(page, 'Server').flatMap(([codes, status]) =>
    extractCode(codes!).map((code): [string, number] => [code, Number(status)]),
  );
  assert.deepEqual(rows.sort(), Object.entries(PROBLEMS).sort());
});

test('docs/reference/errors.md says of every problem whether to retry, what it means, and what to do', () => {
  for (const [code, , retry, ...texts] of extractTableRows(page, 'Server')) {
    assert.ok(['yes', 'no'].includes(retry!), code);
    assert.ok(texts.length === 2 && texts.every((text) => text !== ''), code);
  }
});

test('docs/reference/errors.md shows a problem as the server sends it', async () => {
  const [{ code } = assert.fail()] = extractCodeBlocks(PAGE);
  const shown = problemDetails.parse(JSON.parse(code));
  const problem = new Problem(shown.code as keyof typeof PROBLEMS, shown.detail);
  assert.deepEqual(await problem.toResponse(shown.requestId).json(), shown);
  const sources = globSync('src/server/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  assert.ok(sources.some((source) => source.includes(`"${shown.detail}"`)));
});

test('docs/reference/errors.md lists every code of donation-form-error that is not a problem of the server', () => {
  const source = globSync('src/donation-form/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  const dispatched = [
    ...source.matchAll(
      /(?:dispatchError\(|'report-error', code: |'problem', notice: |returnToForm\(\{ notice: )([^(){}]*)/g,
    ),
  ].flatMap(([, values]) => [...values!.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code!));
  assert.ok(dispatched.length > 8);
  const codes = new Set([...dispatched, ...Object.keys(enSubmission.notices), 'unconfirmed']);
  // The server's own code replaces this one.
  codes.delete('rejected');
  assert.deepEqual(listCodes('Error event').sort(), [...codes].sort());
});

test('docs/reference/errors.md lists every reason of a failed donation', () => {
  assert.deepEqual(listCodes('Failed donations'), [...FAILURE_REASONS]);
});
