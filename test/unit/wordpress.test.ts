import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

const file = (name: string): string =>
  readFileSync(`integrations/wordpress/donation-form/${name}`, 'utf8');
const block = JSON.parse(file('block/block.json')) as { version: string; attributes: object };
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** What only the page's scripts and whoever looks for a mistake need. */
const NOT_OFFERED = ['settings-key', 'debug'];

test('the block for WordPress has the attributes of the element, and no other', () => {
  const offered = DonationFormElement.observedAttributes.filter(
    (name) => !NOT_OFFERED.includes(name),
  );
  assert.deepEqual(
    Object.keys(block.attributes).sort(),
    offered
      .map((name) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
      .sort(),
  );
  const readme = file('readme.txt');
  const handbook = readFileSync('integrations/wordpress/README.md', 'utf8');
  for (const name of offered)
    assert.ok(readme.includes(name) && handbook.includes(`\`${name}\``), name);
});

test('the plugin says its version everywhere as the package does', () => {
  const plugin = file('donation-form.php');
  assert.deepEqual(
    [
      block.version,
      /Version: +(\S+)/.exec(plugin)?.[1],
      /VERSION = '(.+)'/.exec(plugin)?.[1],
      /Stable tag: (\S+)/.exec(file('readme.txt'))?.[1],
    ],
    [version, version, version, version],
  );
});
