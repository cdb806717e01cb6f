import { userInfo } from 'node:os';
import { loadConfiguration } from '../../config/load-configuration.ts';
import type { Decision } from '../../index.ts';
import { listByHand } from '../by-hand.ts';
import { say, type Command, type Values } from '../command.ts';
import { listGifts, resolveGift, retryGift, showGift } from '../gifts.ts';

export const byHandCommand: Command = {
  usage: 'gifts by-hand',
  about: `Lists what a person has to do: changes that the platform takes no call for, and gifts of which it is not known
whether they were paid or recorded.`,
  options: ['config'],
  run: async ({ config }) => say(await listByHand((await loadConfiguration(config)).operator)),
};

export const listGiftsCommand: Command = {
  usage: 'gifts list',
  about: `Lists the gifts of the last days, 30 unless --days N says otherwise, the newest last. --state is one of charging, action,
pending, charged, declined, held (the payment), waiting, recorded, by-hand, held (what the platform is to know).`,
  options: ['config', 'state', 'organization', 'days'],
  run: async ({ config, state, organization, days }) =>
    say(await listGifts((await loadConfiguration(config)).operator, { state, organization, days })),
};

export const showGiftCommand: Command = {
  usage: 'gifts show REFERENCE',
  about:
    'Says everything that is known of a gift, what people decided of it, and what can be decided now.',
  options: ['config'],
  run: async ({ config }, reference) =>
    say(await showGift((await loadConfiguration(config)).operator, reference)),
};

export const retryGiftCommand: Command = {
  usage: 'gifts retry REFERENCE',
  about:
    'Tries now what waits of a gift: asks the processor about its payment, tells the platform. Says what came of it.',
  options: ['config'],
  run: async ({ config }, reference) =>
    say(await retryGift((await loadConfiguration(config)).operator, reference)),
};

export const resolveGiftCommand: Command = {
  usage: 'gifts resolve REFERENCE',
  about: `Keeps what a person decided of a gift that waits for one, and who that was (--by, otherwise the user of this machine).
--as is charged, entered or declined of a held payment; recorded or not-recorded of a gift that may be at the platform;
entered or send of what is to be entered by hand. gifts show says which are possible and what they do. --platform-id names
the id at the platform; --about the event, where several fit.`,
  options: ['config', 'as', 'about', 'platform-id', 'by', 'note'],
  async run({ config, as, about, 'platform-id': written, ...rest }, reference) {
    if (as === undefined)
      throw new Error(
        `--as is missing. See what can be said of it: donation-form gifts show ${reference}`,
      );
    const saying = {
      as: as as Decision,
      about,
      platformId: readPlatformId(written),
      ...signatureIn(rest),
    };
    return say(await resolveGift((await loadConfiguration(config)).operator, reference, saying));
  },
};

/** Who gives an order, and what they say of it. */
export function signatureIn({ by = userInfo().username, note = '' }: Pick<Values, 'by' | 'note'>): {
  readonly by: string;
  readonly note: string;
} {
  return { by, note };
}

/** @throws where it is no whole number above zero. */
function readPlatformId(written: string | undefined): number | undefined {
  if (written !== undefined && !/^[1-9]\d{0,14}$/.test(written))
    throw new Error(`--platform-id is '${written}'; expected a whole number above zero.`);
  return written === undefined ? undefined : Number(written);
}
