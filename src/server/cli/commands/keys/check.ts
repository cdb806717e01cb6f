import { Command } from '@commander-js/extra-typings';
import { configOption } from '../../options.ts';
import { printCheckResults } from '../../print-check-results.ts';

export const checkKeysCommand = new Command('check')
  .summary('check every configured key and secret')
  .description(
    'Check each key and secret that the configuration names: whether it is set, of the right kind ' +
      'and mode, strong, used in one place only, and accepted by the platform, the payment ' +
      'provider, or the SMTP server. Prints the source and purpose of each, but not its value. ' +
      "Changes nothing. Run it in the service's environment. Exits with 1 if a check fails.",
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, runKeyChecks } = await import('../../../index.ts');
    printCheckResults(await runKeyChecks(await loadConfiguration(config), process.env));
  });
