import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** The system's Node, which is older than the one that the project installs. */
const SYSTEM_NODE = '/usr/bin/node';

const { stdout } = spawnSync(SYSTEM_NODE, ['--version'], { encoding: 'utf8' });
const isOld = /^v(18|20|22)\./.test(stdout);

test('names the required version if an older Node runs the command', { skip: !isOld }, () => {
  const { status, stderr } = spawnSync(
    SYSTEM_NODE,
    ['dist/donation-form-server/lib/cli.js', '--help'],
    { encoding: 'utf8' },
  );
  assert.match(stderr, /^donation-form requires Node 24 or later, but this is Node v\d[^\n]+\n$/);
  assert.equal(status, 1);
});
