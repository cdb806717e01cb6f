import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeStatement } from '../../../src/server/cli/commands/receipts.ts';
import { createFolder } from '../temporary-folder.ts';

const STATEMENT = { mediaType: 'application/pdf', base64: btoa('%PDF') } as const;

test('writes a statement that only its owner can read', async () => {
  const file = join(createFolder(), 'statement.pdf');
  await writeStatement(file, STATEMENT);
  assert.equal(await readFile(file, 'utf8'), '%PDF');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('writes no statement to a file with the extension of another format, or to a missing folder', async () => {
  const folder = createFolder();
  await assert.rejects(writeStatement(join(folder, 'statement.html'), STATEMENT), {
    message: /is of the type application\/pdf, because of `receipts\.pdf`[^]* ends with \.pdf\.$/,
  });
  await assert.rejects(writeStatement(join(folder, 'missing', 'statement'), STATEMENT), {
    message: /^Cannot write .*ENOENT.* a folder that you can write to\.$/,
  });
});
