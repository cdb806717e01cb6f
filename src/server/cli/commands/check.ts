import type { Finding } from '../../index.ts';
import { say, type Command } from '../command.ts';

const WORDS: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok',
  wrong: 'WRONG',
  untried: 'not tried',
};

export const checkCommand: Command = {
  usage: 'check',
  about: `Tries what a server needs: the configuration, its secrets, the store, the clock, the platform's key, the recorder, each
payment provider with its webhooks, the pages' origins. It changes nothing and takes no gift. It makes one or two calls
to each platform, which count in its hour. Exits with 1 where something is wrong.`,
  options: ['config'],
  async run({ config }) {
    const { checkAll, loadConfiguration } = await import('../../index.ts');
    const findings = await checkAll({
      configuration: await loadConfiguration(config),
      environment: process.env,
    });
    const width = Math.max(...findings.map(({ about }) => about.length));
    const count = findings.filter(({ state }) => state === 'wrong').length;
    say(
      `${findings.map(({ about, state, detail }) => `${WORDS[state].padEnd(9)}  ${about.padEnd(width)}  ${detail.replaceAll('\n', ' ')}`).join('\n')}\n\n`,
    );
    say(
      count === 0
        ? 'Nothing is wrong.\n'
        : `${count === 1 ? '1 thing is' : `${count} things are`} wrong.\n`,
    );
    return count === 0 ? 0 : 1;
  },
};
