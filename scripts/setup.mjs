/**
 * Installs what is missing before `npm start` and `npm test`: packages, and with --browser a browser for the tests.
 * It runs on the system's Node, which may be older than the one the project brings along, so it uses built-ins alone.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const stampFile = 'node_modules/.setup-stamp';
const stamp = createHash('sha256').update(readFileSync('package-lock.json')).update(process.platform + process.arch).digest('hex');

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  console.log('Installing packages (once) …');
  run(process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm'], ['ci'], 'The packages could not be installed: see above.');
  writeFileSync(stampFile, stamp);
}

if (process.argv.includes('--browser') && !existsSync('/usr/bin/chromium') && !process.env['CHROMIUM']) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    stop('The tests need Chromium. Install it with your system\'s packages, so that it is at /usr/bin/chromium, or name it in the environment variable CHROMIUM.');
  }
  console.log('Installing Chromium (once) …');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run(['apt-get'], ['-qq', 'update'], 'The list of packages could not be read.', environment);
  run(['apt-get'], ['-qq', 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-liberation', 'fonts-noto-core'], 'Chromium could not be installed.', environment);
}

function run([command, ...before], words, problem, env = process.env) {
  const { status } = spawnSync(command, [...before, ...words], { stdio: ['ignore', 'pipe', 'inherit'], env });
  if (status !== 0) stop(problem);
}

function stop(problem) {
  console.error(problem);
  process.exit(1);
}
