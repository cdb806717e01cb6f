import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

const readPluginFile = (name: string): string =>
  readFileSync(`integrations/wordpress/donation-form/${name}`, 'utf8');
const block = JSON.parse(readPluginFile('block/block.json')) as {
  version: string;
  attributes: object;
};
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** Attributes that only scripts and debugging need. */
const ELEMENT_ONLY = ['settings-key', 'debug'];

test("the WordPress block has exactly the element's attributes", () => {
  const offered = DonationFormElement.observedAttributes.filter(
    (name) => !ELEMENT_ONLY.includes(name),
  );
  assert.deepEqual(
    Object.keys(block.attributes).sort(),
    offered
      .map((name) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
      .sort(),
  );
  const readme = readPluginFile('readme.txt');
  const handbook = readFileSync('integrations/wordpress/README.md', 'utf8');
  for (const name of offered)
    assert.ok(readme.includes(name) && handbook.includes(`\`${name}\``), name);
});

test("the plugin has the package's version everywhere", () => {
  const plugin = readPluginFile('donation-form.php');
  assert.deepEqual(
    [
      block.version,
      /Version: +(\S+)/.exec(plugin)?.[1],
      /VERSION = '(.+)'/.exec(plugin)?.[1],
      /Stable tag: (\S+)/.exec(readPluginFile('readme.txt'))?.[1],
    ],
    [version, version, version, version],
  );
});
