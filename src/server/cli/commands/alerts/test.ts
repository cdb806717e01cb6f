import { Command } from '@commander-js/extra-typings';
import { configOption } from '../../options.ts';

export const testAlertsCommand = new Command('test')
  .summary('send a test message to every configured alert channel')
  .description(
    'Send a test message to each channel in the "alerts" configuration. Run this command in ' +
      "the service's environment. Exits with 1 if a channel does not accept the message or if " +
      'the configuration has no alerts.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, sendTestAlert } = await import('../../../index.ts');
    const results = await sendTestAlert(await loadConfiguration(config), process.env);
    if (results.length === 0)
      throw new Error(
        `${config} does not configure any alerts. Add alerts.email or alerts.webhook as ` +
          'described in docs/server/monitoring.md.',
      );
    for (const { channel, target, problem } of results) {
      process.stdout.write(
        problem === undefined
          ? `${channel}: sent to ${target}.\n`
          : `${channel}: not sent to ${target} (${problem}). Check alerts.${channel} in the ` +
              'configuration.\n',
      );
      if (problem !== undefined) process.exitCode = 1;
    }
  });
