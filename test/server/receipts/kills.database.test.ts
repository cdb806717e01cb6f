import { join } from 'node:path';
import { test } from 'node:test';
import { createFolder } from '../temporary-folder.ts';
import { createDatabaseUrl } from '../test-database.ts';
import { checkReceiptsAfterKills } from './kills.ts';

test(
  'numbers receipts without gaps or repeats, each with its document, while servers are killed twice',
  { timeout: 120_000 },
  async () => {
    const { DATABASE_URL: url } = await createDatabaseUrl();
    await checkReceiptsAfterKills(url ?? join(createFolder(), 'receipts.sqlite'), {
      kills: 2,
      programs: url === undefined ? 1 : 2,
    });
  },
);
