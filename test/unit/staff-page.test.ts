import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderStaffPage } from '../../scripts/permissions.ts';

test('docs/server/staff.md has the permissions of each role, and the actions of each permission', async () => {
  assert.equal(
    readFileSync('docs/server/staff.md', 'utf8'),
    await renderStaffPage(),
    'Outdated. Run `npm run docs:reference`.',
  );
});
