import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Copy } from '../../index.ts';
import { AdminClient } from '../admin-client.ts';
import { configOption } from '../options.ts';

export const backupCommand = new Command('backup')
  .summary('copy the SQLite database')
  .description(
    'Make the running server copy its SQLite database to a new file on its machine and check ' +
      'the copy. Prints its size and number of donations. The server continues to accept donations. ' +
      'For PostgreSQL, see docs/records.md.',
  )
  .argument('<file>', 'file to create')
  .addOption(configOption)
  .action(async (path, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const copy = await admin.postJson<Copy>('/api/backup', { file: resolve(path) });
    process.stdout.write(
      `${copy.file}: ${copy.donations} ${copy.donations === 1 ? 'donation' : 'donations'}, ` +
        `${copy.bytes} bytes, checked.\n`,
    );
  });
