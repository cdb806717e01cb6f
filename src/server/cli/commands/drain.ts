import { DRAIN_SECONDS } from '../../database/claims.ts';
import type { JobRunSummary } from '../../index.ts';
import { say, type Command } from '../command.ts';

export const drainCommand: Command = {
  usage: 'drain',
  about: `Tells the platform and the organisations' own servers what is due and looks up payments that are due, then ends, after ${DRAIN_SECONDS} seconds or --seconds N at the latest:
to be run every minute where no server stays alive.`,
  options: ['config', 'seconds'],
  async run({ config, seconds }) {
    const limit = readSeconds(seconds);
    const { loadConfiguration, createEndpoint } = await import('../../index.ts');
    const endpoint = await createEndpoint({
      configuration: await loadConfiguration(config),
      environment: process.env,
    });
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    try {
      return say(describe(await endpoint.drain({ seconds: limit, signal: stopped.signal })));
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      await endpoint.close();
    }
  },
};

/** @throws where it is no number of seconds. */
function readSeconds(written = String(DRAIN_SECONDS)): number {
  if (!/^[1-9]\d{0,3}$/.test(written))
    throw new Error(`--seconds is '${written}'; expected a number from 1 to 9999.`);
  return Number(written);
}

function describe({ told, lookedUp, toTell, toSend, payments, next }: JobRunSummary): string {
  const done = `The platform was told ${told} ${told === 1 ? 'thing' : 'things'}, and the processor was asked of ${lookedUp} ${lookedUp === 1 ? 'payment' : 'payments'}.`;
  const left =
    next === undefined
      ? 'Nothing is left.'
      : `Left: ${toTell} to tell, ${toSend === 0 ? '' : `${toSend} to send to servers of the organisations, `}${payments} ${payments === 1 ? 'payment' : 'payments'} under way; the next is due ${next.getTime() <= Date.now() ? 'now' : `at ${next.toISOString().slice(0, 19).replace('T', ' ')} UTC`}.`;
  return `${done} ${left}\n`;
}
