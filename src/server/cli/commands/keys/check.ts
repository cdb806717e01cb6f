import { Command } from '@commander-js/extra-typings';
import { configOption } from '../../options.ts';
import { printCheckResults } from '../../print-check-results.ts';

export const checkKeysCommand = new Command('check')
  .summary('check every configured key and secret')
  .description(
    'Check that each key and secret in the configuration is set, is of the right kind and mode, ' +
      'is strong, is used in only one place, and is accepted by the platform, the payment ' +
      'provider, or the SMTP server. Prints the source and purpose of each key and secret, but ' +
      "not the value. Changes nothing. Run this command in the service's environment. Exits with " +
      '1 if a check fails.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, runKeyChecks } = await import('../../../index.ts');
    printCheckResults(await runKeyChecks(await loadConfiguration(config), process.env));
  });
