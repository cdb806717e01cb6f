import { Command } from '@commander-js/extra-typings';
import { closeOnSignal } from '../close-on-signal.ts';
import { configOption, parsePort } from '../options.ts';

export const serveCommand = new Command('serve')
  .summary('run the server')
  .description(
    'Run the server. Reads secrets from the environment variables and files specified in the ' +
      'configuration. On SIGHUP, the server reloads the configuration and the secrets, so ' +
      'you can change organizations, forms, and keys without a restart.',
  )
  .addOption(configOption)
  .option(
    '--port <number>',
    'port to listen on; overrides listen.port in the configuration',
    parsePort,
  )
  .action(async ({ config, port }) => {
    const { createLogger, loadConfiguration, serve } = await import('../../index.ts');
    const configuration = await loadConfiguration(config);
    const log = createLogger(process.env.LOG_LEVEL, undefined, process.env.LOG_FORMAT);
    const server = await serve({
      configuration:
        port === undefined
          ? configuration
          : { ...configuration, listen: { ...configuration.listen, port } },
      environment: process.env,
      log,
    });
    const reload = async (): Promise<void> => {
      try {
        await server.reconfigure(await loadConfiguration(config));
        log.info(
          'reloaded the configuration; changes to listen, admin, and database require a restart',
        );
      } catch (error) {
        log.error(
          { error: (error as Error).message },
          'cannot reload the configuration, so the server continues with the previous ' +
            'configuration',
        );
      }
    };
    process.on('SIGHUP', () => void reload());
    await closeOnSignal(server);
  });
