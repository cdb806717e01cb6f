import { Command } from '@commander-js/extra-typings';
import { createCommandGroup } from '../command-group.ts';
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
    const configuration = await loadConfiguration(config);
    printCheckResults(await runChecks({ configuration, environment: process.env }));
  });

const checkKeysCommand = new Command('check')
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
    const { loadConfiguration, runKeyChecks } = await import('../../index.ts');
    printCheckResults(await runKeyChecks(await loadConfiguration(config), process.env));
  });

const testAlertsCommand = new Command('test')
  .summary('send a test message to every configured alert channel')
  .description(
    'Send a test message to each channel in the "alerts" configuration. Run this command in ' +
      "the service's environment. Exits with 1 if a channel does not accept the message or if " +
      'the configuration has no alerts.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { loadConfiguration, sendTestAlert } = await import('../../index.ts');
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
    printCheckResults(results, 2);
  });

export const verifyCommand = new Command('verify')
  .summary('find out why a page does not show the form')
  .description(
    'Open a page that should show the form, and print what keeps the form from appearing, what ' +
      'to do, and a message to send to the person who can fix the problem. Needs no ' +
      'configuration, so you can run this command anywhere. Opens the page in an installed ' +
      'Chrome, Edge, or Chromium if the playwright-core package is installed (npm install ' +
      'playwright-core). If the browser or the package is missing, only downloads the page and ' +
      'requests its script and form, and cannot check policies, blockers, or the styles and ' +
      'scripts of the page. If the form does not appear on its own, scrolls the page and presses ' +
      'buttons that may reveal the form, but does not fill in or send anything. Exits with 1 if ' +
      'visitors do not see the form, or with 2 if the page cannot be checked.',
  )
  .argument('<url>', 'URL of the page')
  .option('--json', 'print the diagnosis as JSON')
  .action(async (url, { json = false }) => {
    const { runVerify } = await import('../run-verify.ts');
    await runVerify(url, json);
  });

export const keysCommand = createCommandGroup('keys', 'Check keys and secrets.', [
  checkKeysCommand,
]);
export const alertsCommand = createCommandGroup('alerts', 'Test alerts.', [testAlertsCommand]);
