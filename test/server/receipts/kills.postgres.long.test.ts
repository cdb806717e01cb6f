import { createDatabaseUrl, testOverPostgres as test } from '../test-database.ts';
import { checkReceiptsAfterKills } from './kills.ts';

test(
  'numbers receipts without gaps or repeats, each with its document, while two servers are killed 20 times',
  async () => {
    const { DATABASE_URL: url } = await createDatabaseUrl();
    await checkReceiptsAfterKills(url!, { kills: 20, programs: 2 });
  },
  { timeout: 300_000 },
);
