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
export const yearOption = new Option('--year <year>', 'year, such as 2026')
  .argParser(createIntegerParser(2000, 2999))
  .makeOptionMandatory();
export const outputOption = new Option('--output <file>', 'CSV file to write');
export const byOption = new Option(
  '--by <name>',
  'your name, to save with the change (default: the current system user)',
);
export const noteOption = new Option('--note <text>', 'note to save with the change');

/** Returns what to save with a change. The name defaults to the current system user's. */
export function toSignature({ by, note }: Partial<Record<'by' | 'note', string | undefined>>) {
  return { by: by ?? userInfo().username, note: note ?? '' };
}

/** Creates a parser that throws an `InvalidArgumentError` outside the range. */
export function createIntegerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    return number;
  };
}

export const parsePort = createIntegerParser(0, 65_535);
