/**
 * Installs what is missing before `npm start` and `npm test`: packages, and with --browser the
 * browsers for the tests.
 * It runs on the system's Node, which may be older than the one the project brings along, so it
 * uses built-ins alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';

if (!isInstalled()) {
  console.log('Installing packages (once) …');
  run(
    process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm'],
    ['ci'],
    'The packages could not be installed: see above.',
  );
}

if (process.argv.includes('--browser')) {
  installBrowsers();
  installPostgres();
  installWordPress();
}

/**
 * Whether npm has installed packages since the list of them was written: it keeps one of its own
 * beside them, last of all.
 */
function isInstalled() {
  const installed = 'node_modules/.package-lock.json';
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs
  );
}

function installBrowsers() {
  const fonts = ['fonts-dejavu-core', 'fonts-liberation', 'fonts-noto-core'];
  const { CHROMIUM, FIREFOX } = process.env;
  const missing = [
    {
      name: 'Chromium',
      program: '/usr/bin/chromium',
      variable: 'CHROMIUM',
      own: CHROMIUM,
      packages: ['chromium', ...fonts],
    },
    {
      name: 'Firefox 153 or later',
      program: '/usr/bin/firefox-esr',
      variable: 'FIREFOX',
      own: FIREFOX,
      packages: ['firefox-esr', ...fonts],
      oldest: 153,
    },
    {
      name: "WebKitGTK's driver",
      program: '/usr/bin/WebKitWebDriver',
      packages: ['webkit2gtk-driver', ...fonts],
    },
    { name: 'Xvfb', program: '/usr/bin/Xvfb', packages: ['xvfb'] },
    { name: 'strace', program: '/usr/bin/strace', packages: ['strace'] },
  ].filter(
    ({ program, own, oldest = 0 }) =>
      !own && !(existsSync(program) && (!oldest || majorVersion(program) >= oldest)),
  );
  if (!missing.length) return;
  const names = missing.map(({ name }) => name).join(', ');
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    const places = missing.map(
      ({ name, program, variable }) =>
        `  ${name} at ${program}${variable ? `, or wherever the environment variable ${variable} says` : ''}`,
    );
    const packages = [...new Set(missing.flatMap(({ packages }) => packages))].join(' ');
    stop(
      `The tests need:\n${places.join('\n')}\nOn Debian, root gets them by: apt-get update && apt-get install ${packages}`,
    );
  }
  console.log(`Installing ${names} (once) …`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run(['apt-get'], ['-qq', 'update'], 'The list of packages could not be read.', environment);
  run(
    ['apt-get'],
    [
      '-qq',
      'install',
      '-y',
      '--no-install-recommends',
      ...new Set(missing.flatMap(({ packages }) => packages)),
    ],
    `${names} could not be installed.`,
    environment,
  );
}

/** Without it the tests run over SQLite alone, and say so. */
function installPostgres() {
  if (
    existsSync('/usr/lib/postgresql') ||
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    !existsSync('/usr/bin/apt-get')
  )
    return;
  console.log('Installing PostgreSQL (once) …');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [
    ['-qq', 'update'],
    ['-qq', 'install', '-y', '--no-install-recommends', 'postgresql'],
  ]) {
    if (
      spawnSync('apt-get', words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment })
        .status !== 0
    )
      return console.error('PostgreSQL could not be installed.');
  }
}

/**
 * WordPress itself is only unpacked: its package would bring a web server that starts by itself.
 * Without all of this the plugin is not tested, and the tests say so.
 */
function installWordPress() {
  const folder = 'node_modules/.cache/wordpress';
  const isUnpacked = existsSync(`${folder}/usr/share/wordpress`);
  const places = {
    '/usr/bin/php': ['php-cli', 'php-mysql'],
    '/usr/sbin/mariadbd': ['mariadb-server-core'],
  };
  const missing = Object.entries(places).flatMap(([place, packages]) =>
    existsSync(place) ? [] : packages,
  );
  if (
    (isUnpacked && !missing.length) ||
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    !existsSync('/usr/bin/apt-get')
  )
    return;
  console.log('Installing WordPress, PHP and MariaDB (once) …');
  mkdirSync(folder, { recursive: true });
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [
    ['apt-get', '-qq', 'update'],
    ...(missing.length
      ? [['apt-get', '-qq', 'install', '-y', '--no-install-recommends', ...missing]]
      : []),
    ...(isUnpacked
      ? []
      : [
          [
            'apt-get',
            '-qq',
            '-o',
            'APT::Sandbox::User=root',
            'download',
            'wordpress',
            'wordpress-theme-twentytwentythree',
            'libjs-underscore',
          ],
          [
            'sh',
            '-c',
            'for package in *.deb; do dpkg-deb -x "$package" . && rm "$package" || exit 1; done',
          ],
        ]),
  ];
  for (const [command, ...words] of steps) {
    if (
      spawnSync(command, words, {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: environment,
      }).status !== 0
    )
      return console.error('WordPress could not be installed.');
  }
}

function majorVersion(program) {
  return Number(/\d+/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
}

function run([command, ...before], words, problem, env = process.env) {
  const { status } = spawnSync(command, [...before, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  if (status !== 0) stop(problem);
}

function stop(problem) {
  console.error(problem);
  process.exit(1);
}
