import { loadConfiguration } from '../../server/index.ts';
import { listByHand } from '../by-hand.ts';
import { say, type Command } from '../command.ts';

export const byHandCommand: Command = {
  usage: 'gifts by-hand',
  about: `Lists what a person has to do: changes that the platform takes no call for, and gifts of which it is not known
whether they were paid or recorded.`,
  options: ['config'],
  run: async ({ config }) => say(await listByHand((await loadConfiguration(config)).operator)),
};
