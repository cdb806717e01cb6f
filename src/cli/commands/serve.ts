import { loadConfiguration, serve } from '../../server/index.ts';
import { readPort, say, type Command } from '../command.ts';
import { untilSignal } from '../until-signal.ts';

export const serveCommand: Command = {
  usage: 'serve',
  about: `Serves the donation endpoint. The keys come from the environment variables that the configuration names.`,
  options: ['config', 'port'],
  async run({ config, port: written }) {
    const configuration = await loadConfiguration(config), port = readPort(written);
    const listening = await serve({ configuration: port === undefined ? configuration : { ...configuration, listen: { ...configuration.listen, port } }, environment: process.env });
    say(`donation endpoint  ${listening.address}\n`);
    return untilSignal(listening);
  },
};
