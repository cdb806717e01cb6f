import { loadConfiguration } from '../../config/load-configuration.ts';
import type { FailedMessages, ToldByPlatform, ToldInFull } from '../../index.ts';
import { cleanText } from '@donation-form/core/donor';
import { say, type Command } from '../command.ts';
import { askOperator, inColumns, minute } from '../operator.ts';

export const listWebhooksCommand: Command = {
  usage: 'webhooks list',
  about: `Lists what the platforms told: first what the hook failed with, then the latest. It asks the running server, with the
operator's key.`,
  options: ['config'],
  async run({ config }) {
    const { items } = await askOperator<{ items: readonly ToldByPlatform[] }>(
      (await loadConfiguration(config)).operator,
      '/platform-webhooks',
    );
    if (items.length === 0) return say('No platform has told anything in the last 30 days.\n');
    const rows = items.map(
      ({ id, organization, source, kind, receivedAt, state, failures, why, nextTry }) => [
        minute(receivedAt),
        organization,
        source,
        kind ?? '(unknown)',
        failures > 0 && nextTry !== null
          ? `failed ${failures} times, again ${minute(nextTry)}`
          : state,
        id,
        why ?? '',
      ],
    );
    return say(
      inColumns([['when (UTC)', 'organization', 'source', 'what', 'state', 'id', 'why'], ...rows]),
    );
  },
};

const LISTED = 'donation-form webhooks unsent lists what is left.\n';
const messages = (count: number): string =>
  `${count} ${count === 1 ? 'message is' : 'messages are'}`;

export const unsentWebhooksCommand: Command = {
  usage: 'webhooks unsent',
  about: `Lists what the organisations' own servers were to be told and have not taken, by address. It asks the running server,
with the operator's key.`,
  options: ['config'],
  async run({ config }) {
    const { items } = await askOperator<{ items: readonly FailedMessages[] }>(
      (await loadConfiguration(config)).operator,
      '/site-webhooks',
    );
    if (items.length === 0)
      return say("The organisations' own servers have taken all that they were to be told.\n");
    const rows = items.map(
      ({ organization, url, isConfigured, state, count, oldest, lastError }) => [
        organization,
        String(count),
        state,
        minute(new Date(oldest).toISOString()),
        isConfigured ? url : `${url} (not in the configuration)`,
        lastError ?? '',
      ],
    );
    return say(
      inColumns(
        [['organization', 'messages', 'state', 'oldest (UTC)', 'address', 'last error'], ...rows],
        [1],
      ),
    );
  },
};

export const resendWebhooksCommand: Command = {
  usage: 'webhooks resend',
  about: `Tries once more what the organisations' own servers did not take in all tries, or did not want. It asks the running
server, with the operator's key.`,
  options: ['config'],
  async run({ config }) {
    const { resent } = await askOperator<{ resent: number }>(
      (await loadConfiguration(config)).operator,
      '/site-webhooks/resend',
      {},
    );
    return say(
      `${resent === 0 ? 'No address of the configuration has messages that were given up.' : `${messages(resent)} tried once more.`} ${LISTED}`,
    );
  },
};

export const moveWebhooksCommand: Command = {
  usage: 'webhooks move FROM TO',
  about: `Sends what was to be told to an address, FROM, to another one of the same organisation's "webhooks", TO: for an address
that changed. It asks the running server, with the operator's key.`,
  options: ['config'],
  async run({ config }, from, to) {
    const { moved } = await askOperator<{ moved: number }>(
      (await loadConfiguration(config)).operator,
      '/site-webhooks/move',
      { from, to },
    );
    return say(
      `${moved === 0 ? `Nothing waits for ${from}.` : `${messages(moved)} sent to ${to}.`} ${LISTED}`,
    );
  },
};

export const showWebhookCommand: Command = {
  usage: 'webhooks show ID',
  about: "Shows what came in one of them, to see where its fields stand. It holds donors' data.",
  options: ['config'],
  async run({ config }, id) {
    const { body } = await askOperator<ToldInFull>(
      (await loadConfiguration(config)).operator,
      `/platform-webhooks/${encodeURIComponent(id)}`,
    );
    return say(`${cleanText(body)}\n`);
  },
};
