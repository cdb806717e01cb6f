import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

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
    printCheckResults(runRestoreChecks(file, configuration), { warningExitCode: 2 });
  });
