import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

export const upgradeCommand = new Command('upgrade')
  .summary('check what starting this release would change')
  .description(
    'Check, before you start this release, whether the configuration is valid, which migrations ' +
      'this release would run, whether servers of the previous release can continue to run, and whether ' +
      'the database was used by a later release. Changes nothing, and works while a server runs. ' +
      "Run it in the service's environment. Exits with 1 if a check fails, and with 2 if the " +
      'database was used by a later release.',
  )
  .requiredOption('--check', 'only check; to upgrade, see docs/operate.md')
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, runUpgradeChecks } = await import('../../index.ts');
    const results = await runUpgradeChecks(await loadConfiguration(config), process.env);
    printCheckResults(results, { warningExitCode: 2 });
  });
