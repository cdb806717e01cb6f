import { readPort, say, type Command } from '../command.ts';
import { untilSignal } from '../until-signal.ts';

export const serveCommand: Command = {
  usage: 'serve',
  about: `Serves the donation endpoint. The keys come from the environment variables and files that the configuration names.
SIGHUP makes it read the configuration and the keys again: organisations, forms and keys change without a restart.`,
  options: ['config', 'port'],
  async run({ config, port: written }) {
    const { createLog, loadConfiguration, serve } = await import('../../index.ts');
    const configuration = await loadConfiguration(config);
    const port = readPort(written);
    const log = createLog(process.env.LOG_LEVEL);
    const served = await serve({
      configuration:
        port === undefined
          ? configuration
          : { ...configuration, listen: { ...configuration.listen, port } },
      environment: process.env,
      log,
    });
    const readAgain = async (): Promise<void> => {
      try {
        await served.reconfigure(await loadConfiguration(config));
        log.info(
          'the configuration was read again; listen, operator and store are as at the start',
        );
      } catch (error) {
        log.error(
          { error: (error as Error).message },
          'the configuration was read again and is wrong, so the one before stays in use',
        );
      }
    };
    process.on('SIGHUP', () => void readAgain());
    const ended = untilSignal(served);
    say(`donation endpoint  ${served.address}\n`);
    return ended;
  },
};
