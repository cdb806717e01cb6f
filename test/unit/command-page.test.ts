import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getCommandPath } from '../../src/server/cli/command-group.ts';
import { createProgram } from '../../src/server/cli/program.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';

type Command = Parameters<typeof getCommandPath>[0];

const page = readFileSync('docs/reference/command.md', 'utf8');
const rows = extractTableRows(page).filter(([command]) => command!.startsWith('`donation-form'));
const listCommands = ({ commands }: Command): Command[] =>
  commands.flatMap((command) => (command.commands.length > 0 ? listCommands(command) : [command]));
const commands = listCommands(createProgram());

/** Returns a command's help, including the example below its options. */
function renderHelp(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

test('docs/reference/command.md has every command with the example of its help', () => {
  assert.ok(commands.length > 20);
  const examples = commands.map((command) => renderHelp(command).split('Example:\n  ')[1]?.trim());
  assert.deepEqual(rows.map(([example]) => extractCode(example!)[0]).sort(), examples.sort());
});

test('docs/reference/command.md names every option and choice of every command', () => {
  for (const command of commands) {
    const path = getCommandPath(command);
    const row = rows.find(([example]) => `${extractCode(example!)[0]} `.startsWith(`${path} `))!;
    for (const { long, argChoices = [] } of command.options) {
      if (long !== '--config') assert.ok(row.join().includes(long!), `${path} ${long}`);
      for (const choice of argChoices)
        assert.ok(extractCode(row.join()).includes(choice), `${path} ${long} ${choice}`);
    }
    const known = command.options.map(({ long }) => long);
    for (const [option] of row.join().matchAll(/--[a-z-]+/g))
      assert.ok(known.includes(option), `${path} has no ${option}`);
  }
});

test('docs/reference/command.md gives the exit codes that the help gives', () => {
  for (const command of commands) {
    const path = getCommandPath(command);
    const help = renderHelp(command).replace(/\s+/g, ' ');
    const documented = new Set(
      [...help.matchAll(/(?:[Ee]xits with|or with) (\d)/g)].map(([, code]) => code),
    );
    const [, , codes = ''] = rows.find(([example]) =>
      `${extractCode(example!)[0]} `.startsWith(`${path} `),
    )!;
    const given = new Set([...codes.matchAll(/(\d): /g)].map(([, code]) => code));
    assert.deepEqual(given, documented, path);
  }
});
