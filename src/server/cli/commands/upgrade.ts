import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

export const upgradeCommand = new Command('upgrade')
  .summary('check what the start of this release would change')
  .description(
    'Check, before you start this release, whether the configuration is valid, which migrations ' +
      'the start would run, whether servers of the previous release can keep running, and whether ' +
      'the database was used by a later release. Changes nothing, and works while a server runs. ' +
      "Run it in the service's environment. Exits with 1 if a check fails, and with 2 if the " +
      'database was used by a later release.',
  )
  .requiredOption('--check', 'only check; docs/operate.md says how to upgrade')
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, runUpgradeChecks } = await import('../../index.ts');
    const results = await runUpgradeChecks(await loadConfiguration(config), process.env);
    printCheckResults(results, { warningExitCode: 2 });
  });
