import { parseArgs } from 'node:util';
import { packageVersion } from '../lib/package-file.ts';
import { options, say, type Command } from './command.ts';
import { backupCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { deleteDonorCommand, exportDonorCommand } from './commands/donor.ts';
import { drainCommand } from './commands/drain.ts';
import {
  byHandCommand,
  listGiftsCommand,
  resolveGiftCommand,
  retryGiftCommand,
  showGiftCommand,
} from './commands/gifts.ts';
import { checkLinksCommand, reportLinksCommand } from './commands/links.ts';
import { listOrganizationsCommand, pauseCommand, resumeCommand } from './commands/organizations.ts';
import { exportGiftsCommand, reconcileCommand } from './commands/reconcile.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { serveCommand } from './commands/serve.ts';
import {
  listWebhooksCommand,
  moveWebhooksCommand,
  resendWebhooksCommand,
  showWebhookCommand,
  unsentWebhooksCommand,
} from './commands/webhooks.ts';

const COMMANDS: readonly Command[] = [
  serveCommand,
  checkCommand,
  drainCommand,
  sandboxCommand,
  checkLinksCommand,
  reportLinksCommand,
  listGiftsCommand,
  showGiftCommand,
  retryGiftCommand,
  resolveGiftCommand,
  byHandCommand,
  exportGiftsCommand,
  listOrganizationsCommand,
  pauseCommand,
  resumeCommand,
  listWebhooksCommand,
  showWebhookCommand,
  unsentWebhooksCommand,
  resendWebhooksCommand,
  moveWebhooksCommand,
  reconcileCommand,
  exportDonorCommand,
  deleteDonorCommand,
  backupCommand,
];

/** How options stand in the usage of a command. */
const WRITTEN: Readonly<Partial<Record<keyof typeof options, string>>> = {
  config: 'FILE',
  port: 'N',
  data: 'FILE',
  fault: 'KIND …',
  'processor-webhook': 'URL',
  form: 'ID',
  days: 'N',
  state: 'STATE',
  organization: 'ID',
  as: 'DECISION',
  about: 'EVENT',
  'platform-id': 'N',
  by: 'NAME',
  note: 'TEXT',
  from: 'DAY',
  to: 'DAY',
  csv: 'FILE',
  seconds: 'N',
};

const HELP = `donation-form: an embeddable donation form, and the small server behind it.

Usage
${COMMANDS.map((command) => `  donation-form ${[command.usage, ...command.options.map((name) => `[--${[name, WRITTEN[name] ?? []].flat().join(' ')}]`)].join(' ')}\n${command.about.replace(/^/gm, '      ')}\n`).join('')}  donation-form --help | --version

The configuration is donation-form.config.json unless --config names another file.
`;

/** Runs the command until it ends or is told to by a signal. @returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      tokens: true,
    });
    if (values.help) return say(HELP);
    if (values.version) return say(`${packageVersion()}\n`);
    if (positionals.length === 0) return complain(HELP);
    const found = commandOf(positionals);
    if (typeof found === 'string') return complain(`${found} See donation-form --help.\n`);
    const { command, given } = found;
    const foreign = tokens.find(
      (token) => token.kind === 'option' && !command.options.some((name) => name === token.name),
    );
    if (foreign?.kind === 'option')
      return complain(
        `${foreign.rawName} is no option of donation-form ${nameOf(command)}. See donation-form --help.\n`,
      );
    return await command.run(values, ...given);
  } catch (error) {
    return complain(`${(error as Error).message}\n`);
  }
}

/** The command that words name, with the user's words; or what is wrong with them. */
function commandOf(
  words: readonly string[],
): { readonly command: Command; readonly given: readonly string[] } | string {
  const family = COMMANDS.filter(({ usage }) => usage.split(' ')[0] === words[0]);
  if (family.length === 0)
    return `Unknown command '${words[0]}'; expected ${[...new Set(COMMANDS.map(({ usage }) => usage.split(' ')[0]!))].join(' or ')}.`;
  for (const command of family) {
    const expected = command.usage.split(' ');
    if (
      expected.length === words.length &&
      expected.every((word, index) => isPlaceholder(word) || word === words[index])
    )
      return { command, given: words.filter((_word, index) => isPlaceholder(expected[index]!)) };
  }
  const [only, ...others] = family;
  if (others.length === 0 && words.length > only!.usage.split(' ').length)
    return `'${words[only!.usage.split(' ').length]}' is one word too many for donation-form ${only!.usage}.`;
  return `Expected: ${family.map(({ usage }) => `donation-form ${usage}`).join(', or ')}.`;
}

const isPlaceholder = (word: string): boolean => /^[A-Z]+$/.test(word);

function nameOf({ usage }: Command): string {
  return usage
    .split(' ')
    .filter((word) => !isPlaceholder(word))
    .join(' ');
}

function complain(text: string): 1 {
  process.stderr.write(text);
  return 1;
}
