import { userInfo } from 'node:os';
import { Command, Option } from '@commander-js/extra-typings';
import { createCommandGroup } from '../command-group.ts';
import { printRecords } from '../format-table.ts';
import { configOption } from '../options.ts';

/** The same as `ROLES`, which this file does not import, so that the help loads fast. */
const ROLE_CHOICES = ['campaigner', 'fundraiser', 'finance', 'administrator'] as const;

const FIRST_PERSON_NOTICE =
  'From now on, the server refuses the admin key. Backups and other scripts need an API token in ' +
  'DONATION_FORM_TOKEN, which you create on the staff page (see docs/server/staff.md).\n';

const addCommand = new Command('add')
  .summary('add a person, or let a person in again')
  .description(
    'Add a person who can sign in to the admin pages, or give a role to somebody who already can, ' +
      'and print a link that signs this person in once, within 30 minutes, without mail. Writes to ' +
      'the database, so run this command on the machine of a server, in its environment. The server ' +
      'can continue to run.',
  )
  .requiredOption('--email <email>', "the person's email")
  .requiredOption('--name <name>', "the person's name")
  .option('--organization <id>', 'ID of the organization for the role (default: all organizations)')
  .addOption(
    new Option('--role <role>', 'role').choices(ROLE_CHOICES).default('administrator' as const),
  )
  .addOption(configOption)
  .action(async ({ config, ...person }) => {
    const { addStaff } = await import('../staff-database.ts');
    const { isFirst, isNew, link } = await addStaff(config, { ...person, by: userInfo().username });
    if (isFirst) process.stdout.write(FIRST_PERSON_NOTICE);
    process.stdout.write(
      `${isNew ? 'Added' : 'Found'} ${person.email}. To sign in within 30 minutes, open:\n${link}\n`,
    );
  });

const setupCommand = new Command('setup')
  .summary('print a link with which the first person adds themselves')
  .description(
    'Print a link with which the first person enters their name and email and becomes ' +
      'administrator. It works once, within 15 minutes, and only if nobody has ever been added. Run ' +
      'this command on the machine of a server, in its environment.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { createSetupLink } = await import('../staff-database.ts');
    const link = await createSetupLink(config, userInfo().username);
    process.stdout.write(`To add the first person within 15 minutes, open:\n${link}\n`);
  });

const listCommand = new Command('list')
  .summary('list people and their roles')
  .description(
    'List the people who can sign in to the admin pages, with their roles in each organization ' +
      '(* for all). Run this command on the machine of a server, in its environment.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { listStaff } = await import('../staff-database.ts');
    const people = await listStaff(config);
    const records = people.map(({ name, email, memberships }) => ({
      name,
      email,
      roles: memberships
        .map(({ organization, roles }) => `${organization}: ${roles.join(', ')}`)
        .join('; '),
    }));
    printRecords(records, 'Nobody has been added. Run donation-form staff add.');
  });

export const staffCommand = createCommandGroup('staff', 'Let people sign in to the admin pages.', [
  addCommand,
  setupCommand,
  listCommand,
]);
