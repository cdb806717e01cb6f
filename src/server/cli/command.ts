import type { ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** All options of all commands. */
export const options = {
  config: { type: 'string', default: 'donation-form.config.json' },
  port: { type: 'string' },
  data: { type: 'string' },
  empty: { type: 'boolean' },
  fault: { type: 'string', multiple: true },
  'processor-webhook': { type: 'string' },
  form: { type: 'string' },
  days: { type: 'string' },
  state: { type: 'string' },
  organization: { type: 'string' },
  as: { type: 'string' },
  about: { type: 'string' },
  'platform-id': { type: 'string' },
  by: { type: 'string' },
  note: { type: 'string' },
  seconds: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  csv: { type: 'string' },
  take: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsOptionsConfig;

export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** A command of `donation-form`, by its first words. */
export interface Command {
  /** Such as `links check FILE`; words in capitals are the user's. */
  readonly usage: string;
  readonly about: string;
  readonly options: readonly (keyof typeof options)[];
  /**
   * @param words those that stand for the capitals.
   * @returns the exit code.
   * @throws what is told to the user.
   */
  readonly run: (values: Values, ...words: string[]) => Promise<number>;
}

export function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

/** @throws where it is no port. */
export function readPort(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535)
    throw new Error(`--port is '${written}'; expected a number from 0 to 65535.`);
  return Number(written);
}
