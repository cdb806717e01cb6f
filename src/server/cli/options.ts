import { userInfo } from 'node:os';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

export const configOption = new Option('--config <file>', 'configuration file').default(
  'donation-form.config.json',
);
export const organizationOption = new Option(
  '--organization <id>',
  'organization ID; required if the configuration has several organizations',
);
export const fromOption = new Option(
  '--from <date>',
  'first day of the period, such as 2026-11-01',
).makeOptionMandatory();
export const toOption = new Option(
  '--to <date>',
  'last day of the period, such as 2026-11-30',
).makeOptionMandatory();
export const outputOption = new Option('--output <file>', 'CSV file to write');
export const byOption = new Option(
  '--by <name>',
  'your name, to save with the change (default: the current system user)',
);
export const noteOption = new Option('--note <text>', 'note to save with the change');

/**
 * Returns the name and note to send to the admin API with a change. The name defaults to the
 * current system user's name.
 */
export function toSignature({
  by = userInfo().username,
  note = '',
}: {
  readonly by?: string | undefined;
  readonly note?: string | undefined;
}): { readonly by: string; readonly note: string } {
  return { by, note };
}

/**
 * Creates a parser for integers. The parser throws an `InvalidArgumentError` for text that is not
 * an integer and for integers outside the range.
 */
export function createIntegerParser({
  min,
  max,
}: {
  readonly min: number;
  readonly max: number;
}): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return number;
  };
}

export const parsePort = createIntegerParser({ min: 0, max: 65_535 });
