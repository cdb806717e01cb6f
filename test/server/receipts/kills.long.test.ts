import { join } from 'node:path';
import { test } from 'node:test';
import { createFolder } from '../temporary-folder.ts';
import { checkReceiptsAfterKills } from './kills.ts';

test(
  'numbers receipts without gaps or repeats, each with its document, while a server is killed 20 times',
  { timeout: 300_000 },
  async () => {
    await checkReceiptsAfterKills(join(createFolder(), 'receipts.sqlite'), {
      kills: 20,
      programs: 1,
    });
  },
);
