import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../admin-client.ts';
import { configOption } from '../options.ts';

export const backupCommand = new Command('backup')
  .summary('back up the SQLite database')
  .description(
    "Copy the running server's SQLite database to a new file on the server's machine, and check " +
      "the copy. Prints the copy's size and number of donations. The server continues " +
      'to accept donations during the backup. For PostgreSQL, see docs/server/backups.md.',
  )
  .argument('<file>', 'file to create')
  .addOption(configOption)
  .action(async (path, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const copy = await admin.perform('backup', { file: resolve(path) });
    process.stdout.write(
      `${copy.file}: ${copy.donations} ${copy.donations === 1 ? 'donation' : 'donations'}, ` +
        `${copy.bytes} bytes, checked.\n`,
    );
  });
