import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';
import { printCheckResults } from '../print-check-results.ts';

export const checkCommand = new Command('check')
  .summary('check everything that the server needs')
  .description(
    'Check the configuration, its secrets, the database, the clock, the platform and its key, ' +
      'the payment providers and their webhooks, and the page origins. Changes nothing and ' +
      'accepts no donations. Makes one or two calls to each platform; these calls count toward the ' +
      "platform's hourly limit. Does not check the proxy in front of the server. Run this " +
      "command in the service's environment. Lists failures first. Exits with 1 if a check fails.",
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { runChecks, loadConfiguration } = await import('../../index.ts');
    const results = await runChecks({
      configuration: await loadConfiguration(config),
      environment: process.env,
    });
    printCheckResults(results);
  });
