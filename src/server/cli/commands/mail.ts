import { Command } from '@commander-js/extra-typings';
import type { ActionInput } from '../../admin/actions/staff-actions.ts';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import { byOption, configOption, organizationOption, toSignature } from '../options.ts';

const pauseMailCommand = createPauseCommand(
  'pause',
  'Send no mail of an organization from any server until you resume it. Messages wait for up to ' +
    'three days.',
);

const resumeMailCommand = createPauseCommand('resume', 'Send the mail of an organization again.');

function createPauseCommand(action: 'pause' | 'resume', description: string) {
  return new Command(action)
    .summary(`${action} an organization's mail`)
    .description(description)
    .addOption(byOption)
    .addOption(configOption)
    .addOption(organizationOption)
    .action(async ({ config, organization, by }) => {
      const input = { organization, by: toSignature({ by }).by };
      const { result } = await callServer(config, `mail.${action}`, input);
      process.stdout.write(`${result}\n`);
    });
}

const resendMailCommand = new Command('resend')
  .summary('send failed messages again')
  .description('Send all messages again that failed within the last 14 days.')
  .addOption(configOption)
  .addOption(organizationOption)
  .action(async ({ config, organization }) => {
    const { resent } = await callServer(config, 'mail.resend', { organization });
    const messages = resent === 1 ? 'message' : 'messages';
    process.stdout.write(`The server will try to send ${resent} ${messages} again.\n`);
  });

const blockRecipientCommand = createBlockCommand(
  'block',
  'stop tribute messages to a person',
  'Send a person no more messages about donations in their honor or in memory of somebody, for ' +
    'example because they asked for that. They still get thanks for their own donations.',
);

const unblockRecipientCommand = createBlockCommand(
  'unblock',
  'send mail to an email again',
  'Send mail again to an email that you blocked, or that the mail provider reported.',
);

function createBlockCommand(action: 'block' | 'unblock', summary: string, description: string) {
  return new Command(action)
    .summary(summary)
    .description(description)
    .argument('<email>', "the person's email")
    .addOption(byOption)
    .addOption(configOption)
    .addOption(organizationOption)
    .action(async (email, { config, organization, by }) => {
      const input = { organization, email, by: toSignature({ by }).by };
      const { result } = await callServer(config, `mail.${action}`, input);
      process.stdout.write(`${result}\n`);
    });
}

const testMailCommand = new Command('test')
  .summary('send yourself an example of a message to donors')
  .description(
    'Send an example of a message to donors to your email. The subject begins with “[Test]”. The ' +
      'server sends at most five an hour for each organization.',
  )
  .argument('<email>', 'your email')
  .option('--kind <kind>', 'kind of message', 'thank_you')
  .option('--language <tag>', 'language of the message', 'en')
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async (to, { config, ...test }) => {
    const input = { ...test, to } as ActionInput<'mail.test'>;
    const { server } = await callServer(config, 'mail.test', input);
    process.stdout.write(`${server} accepted the test for ${to}.\n`);
  });

export const mailCommand = createCommandGroup(
  'mail',
  'Test, pause, resume, and resend mail, and block recipients.',
  [
    testMailCommand,
    pauseMailCommand,
    resumeMailCommand,
    resendMailCommand,
    blockRecipientCommand,
    unblockRecipientCommand,
  ],
);
