import { loadConfiguration } from '../../server/configuration.ts';
import type { ToldByPlatform, ToldInFull } from '../../server/index.ts';
import { cleanText } from '../../model/donor.ts';
import { say, type Command } from '../command.ts';
import { askOperator, inColumns, minute } from '../operator.ts';

export const listWebhooksCommand: Command = {
  usage: 'webhooks list',
  about: `Lists what the platforms told: first what the hook failed with, then the latest. It asks the running server, with the
operator's key.`,
  options: ['config'],
  async run({ config }) {
    const { items } = await askOperator<{ items: readonly ToldByPlatform[] }>((await loadConfiguration(config)).operator, '/platform-webhooks');
    if (items.length === 0) return say('No platform has told anything in the last 30 days.\n');
    const rows = items.map(({ id, organization, source, kind, receivedAt, state, failures, why, nextTry }) => [
      minute(receivedAt), organization, source, kind ?? '(unknown)', failures > 0 && nextTry !== null ? `failed ${failures} times, again ${minute(nextTry)}` : state, id, why ?? '',
    ]);
    return say(inColumns([['when (UTC)', 'organization', 'source', 'what', 'state', 'id', 'why'], ...rows]));
  },
};

export const resendWebhooksCommand: Command = {
  usage: 'webhooks resend',
  about: `Sends once more what the organisations' own servers did not take in all tries, or did not want. It asks the running
server, with the operator's key.`,
  options: ['config'],
  async run({ config }) {
    const { resent } = await askOperator<{ resent: number }>((await loadConfiguration(config)).operator, '/site-webhooks/resend', {});
    return say(resent === 0 ? 'Nothing was given up in the last 30 days.\n' : `${resent} ${resent === 1 ? 'message is' : 'messages are'} sent once more.\n`);
  },
};

export const showWebhookCommand: Command = {
  usage: 'webhooks show ID',
  about: 'Shows what came in one of them, to see where its fields stand. It holds donors\' data.',
  options: ['config'],
  async run({ config }, id) {
    const { body } = await askOperator<ToldInFull>((await loadConfiguration(config)).operator, `/platform-webhooks/${encodeURIComponent(id)}`);
    return say(`${cleanText(body)}\n`);
  },
};
