import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';

const page = readFileSync('docs/server/deploy.md', 'utf8');
const UNIT = 'deploy/donation-form.service';
const unit = readFileSync(UNIT, 'utf8')
  .split('\n')
  .filter((line) => line.includes('=') && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
const getValues = (name: string): string[] =>
  unit.filter(([key]) => key === name).map(([, value]) => value);

test('docs/server/deploy.md quotes the files of the repository, and links only existing files', () => {
  const shown = [...page.matchAll(/<!-- (\S+) -->\n+```\w*\n([^]*?)\n```/g)];
  assert.deepEqual(shown.length, 7);
  for (const [, file, text] of shown) assert.equal(`${text}\n`, readFileSync(file!, 'utf8'), file);
  const linked = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
  assert.ok(linked.length > 8);
  for (const path of linked) assert.ok(existsSync(normalize(join('docs/server', path))), path);
});

test('uses the same files, options, and ports in docs/server/deploy.md, the systemd unit, and the image', () => {
  for (const command of [
    ...getValues('ExecStart'),
    ...page
      .split('\n')
      .filter(
        (line) => line.includes('donation-form jobs run --') || line.includes('cli.js donations'),
      ),
  ]) {
    const [, words, options] = /(?:cli\.js|donation-form) ((?:[a-z-]+ )+)((?:--.*)?)$/.exec(
      command,
    )!;
    const { status, stdout: help } = spawnSync(
      process.execPath,
      ['dist/donation-form-server/lib/cli.js', ...words!.trim().split(' '), '--help'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, command);
    for (const [option] of options!.matchAll(/--[a-z]+/g))
      assert.ok(help.includes(`  ${option} `), `${command}: ${help}`);
  }
  const [[prefix, folder] = ['', '']] = getValues('LoadCredential').map((value) =>
    value.split(':'),
  );
  const secrets = [...page.matchAll(/ (\/etc\/donation-form\/secrets)\/([\w-]+)/g)];
  assert.equal(secrets.length, 4);
  for (const [, path, name] of secrets) {
    assert.equal(path, folder);
    assert.ok(page.includes(`/run/credentials/donation-form.service/${prefix}_${name}"`), name);
  }
  for (const path of [
    '/etc/donation-form/environment',
    `/var/lib/${getValues('StateDirectory')[0]}/donations.sqlite`,
  ])
    assert.ok(page.includes(path), path);
  assert.ok(
    page.includes('/opt/donation-form/') &&
      getValues('ExecStart')[0]!.includes(
        '/opt/donation-form/node_modules/donation-form-server/lib/cli.js',
      ),
  );
  const port = /^EXPOSE (\d+)$/m.exec(readFileSync('Dockerfile', 'utf8'))![1]!;
  assert.deepEqual(
    new Set(
      [...page.matchAll(/"port": (\d+)|127\.0\.0\.1:(\d+)/g)].map(([, one, other]) => one ?? other),
    ),
    new Set([port, '4103']),
  );
});

test('the systemd unit starts without unused secrets, and is always restarted', () => {
  // A missing file fails the start; a folder may contain any files.
  assert.deepEqual(getValues('LoadCredential'), ['secret:/etc/donation-form/secrets']);
  assert.deepEqual(getValues('Restart'), ['always']);
  assert.deepEqual(getValues('RestartSec'), ['2']);
  assert.deepEqual(getValues('StartLimitIntervalSec'), ['0']);
});

test("passes systemd's verification and security analysis of the unit", () => {
  const has = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!has) {
    console.warn(
      'systemd-analyze is not installed, so systemd was not asked about ' +
        'deploy/donation-form.service: apt-get install systemd',
    );
    for (const name of ['DynamicUser', 'NoNewPrivileges', 'ProtectSystem', 'SystemCallFilter'])
      assert.ok(getValues(name).length > 0, name);
    return;
  }
  const { stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
  assert.deepEqual(
    stderr
      .split('\n')
      .filter(
        (line) => line.includes('donation-form.service') && !line.includes('is not executable'),
      ),
    [],
  );
  const { stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', UNIT],
    { encoding: 'utf8' },
  );
  const exposure = Number(/exposure level for donation-form\.service: ([\d.]+)/.exec(stdout)?.[1]);
  assert.ok(exposure <= 2, stdout);
});
