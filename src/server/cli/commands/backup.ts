import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { callServer } from '../admin-client.ts';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

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
    const copy = await callServer(config, 'backup', { file: resolve(path) });
    const donations = formatCount(copy.donations, 'donation');
    process.stdout.write(`${copy.file}: ${donations}, ${copy.bytes} bytes, checked.\n`);
  });

export const restoreCommand = new Command('restore')
  .summary('check what restoring a backup would change')
  .description(
    'Check a copy made by "donation-form backup": its date, its release, its donations by ' +
      'status, and whether it is safe to restore. Compares the copy with the current SQLite ' +
      'database and lists the data that you would lose or have to reconcile. Changes nothing and ' +
      'works while a server is running. Exits with 1 if the copy is not safe to restore, or with ' +
      '2 if it is safe but you would lose data. For PostgreSQL, see docs/server/backups.md.',
  )
  .argument('<file>', 'copy made by donation-form backup')
  .requiredOption(
    '--dry-run',
    'check the copy without restoring it; to restore it, see docs/server/backups.md',
  )
  .addOption(configOption)
  .action(async (file, { config }) => {
    const { loadConfiguration, runRestoreChecks } = await import('../../index.ts');
    const configuration = await loadConfiguration(config);
    if (process.env.DATABASE_URL !== undefined)
      throw new Error(
        'DATABASE_URL is set, but this command compares SQLite files only. For PostgreSQL, see ' +
          'docs/server/backups.md.',
      );
    printCheckResults(runRestoreChecks(file, configuration), 2);
  });
