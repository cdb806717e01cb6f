import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

export const upgradeCommand = new Command('upgrade')
  .summary('check what starting this release would change')
  .description(
    'Before you start this release, check whether the configuration is valid, which migrations ' +
      'this release would run, whether servers of the previous release can continue to run, and ' +
      'whether a later release has used the database. Changes nothing and works while a server ' +
      "is running. Run this command in the service's environment. Exits with 1 if a check fails, " +
      'or with 2 if a later release has used the database.',
  )
  .requiredOption('--check', 'check without upgrading; to upgrade, see docs/server/upgrading.md')
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, runUpgradeChecks } = await import('../../index.ts');
    const results = await runUpgradeChecks(await loadConfiguration(config), process.env);
    printCheckResults(results, { warningExitCode: 2 });
  });
