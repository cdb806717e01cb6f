import { loadConfiguration } from '../../config/load-configuration.ts';
import { say, type Command } from '../command.ts';
import { listOrganizations, switchOrganization } from '../organizations.ts';
import { signatureIn } from './gifts.ts';

export const listOrganizationsCommand: Command = {
  usage: 'organizations list',
  about:
    'Lists the organisations of the running server, and which of them are paused, since when, by whom and why.',
  options: ['config'],
  run: async ({ config }) =>
    say(await listOrganizations((await loadConfiguration(config)).operator)),
};

export const pauseCommand: Command = {
  usage: 'organizations pause ID',
  about: `Takes no new gifts for an organisation, on all servers, until it is resumed. Gifts that were given before go on.`,
  options: ['config', 'by', 'note'],
  run: async ({ config, ...rest }, id) =>
    say(
      await switchOrganization(
        (await loadConfiguration(config)).operator,
        id,
        'pause',
        signatureIn(rest),
      ),
    ),
};

export const resumeCommand: Command = {
  usage: 'organizations resume ID',
  about: 'Takes gifts for an organisation again.',
  options: ['config', 'by', 'note'],
  run: async ({ config, ...rest }, id) =>
    say(
      await switchOrganization(
        (await loadConfiguration(config)).operator,
        id,
        'resume',
        signatureIn(rest),
      ),
    ),
};
