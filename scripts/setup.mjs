/**
 * Installs missing dependencies before `npm start`, `npm run build`, and `npm test`: npm packages,
 * and with `--tests` also browsers, PostgreSQL, and, if `CI` is set, WordPress. It runs on the
 * system's Node, which may be older than the project's, so it uses only built-in modules.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';

const FONTS = ['fonts-dejavu-core', 'fonts-liberation', 'fonts-noto-core'];
const WORDPRESS_FOLDER = 'node_modules/.cache/wordpress';

/** Programs that the tests need, and the Debian packages that contain them. */
const PROGRAMS = [
  {
    name: 'Chromium',
    path: process.env.CHROMIUM ?? '/usr/bin/chromium',
    packages: ['chromium', ...FONTS],
  },
  {
    name: "Chromium's headless shell",
    path: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    packages: ['chromium-headless-shell', ...FONTS],
  },
  {
    name: 'Firefox 153 or later',
    path: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    oldest: process.env.FIREFOX ? 0 : 153,
    packages: ['firefox-esr', ...FONTS],
  },
  {
    name: "WebKitGTK's driver",
    path: '/usr/bin/WebKitWebDriver',
    packages: ['webkit2gtk-driver', ...FONTS],
  },
  {
    name: 'A font with Chinese, Japanese, and Korean',
    path: '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc',
    packages: ['fonts-wqy-microhei'],
  },
  { name: 'Xvfb', path: '/usr/bin/Xvfb', packages: ['xvfb'] },
  {
    name: 'MooTools',
    path: '/usr/share/javascript/mootools/mootools-core.min.js',
    packages: ['libjs-mootools'],
  },
  {
    name: 'Prototype',
    path: '/usr/share/javascript/prototype/prototype.js',
    packages: ['libjs-prototype'],
  },
  { name: 'pdftotext', path: '/usr/bin/pdftotext', packages: ['poppler-utils'] },
  { name: 'UnZip', path: '/usr/bin/unzip', packages: ['unzip'] },
  { name: 'strace', path: '/usr/bin/strace', packages: ['strace'] },
  { name: 'PostgreSQL', path: '/usr/lib/postgresql', packages: ['postgresql'], isOptional: true },
];

/** Only CI tests the WordPress plugin. */
const WORDPRESS_PROGRAMS = [
  { name: 'PHP', path: '/usr/bin/php', packages: ['php-cli', 'php-mysql'], isOptional: true },
  {
    name: 'MariaDB',
    path: '/usr/sbin/mariadbd',
    packages: ['mariadb-server-core'],
    isOptional: true,
  },
];

const canInstallPrograms =
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
let listUpdate;
const isForTests = process.argv.includes('--tests');
const isForCi = isForTests && Boolean(process.env.CI);

await Promise.all([installPackages(), isForTests && installPrograms()]);
if (isForCi && canInstallPrograms) await unpackWordPress();

async function installPackages() {
  if (arePackagesInstalled()) return;
  console.log('Installing packages (once) …');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  await run([...npm, 'ci'], 'Cannot install the npm packages; see the output above.');
}

/**
 * Compares the versions in the lock file with npm's record of what it installed. Packages for other
 * systems are never installed, and a package too many does no harm.
 */
function arePackagesInstalled() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const installed = readPackages('node_modules/.package-lock.json');
  return Object.entries(readPackages('package-lock.json')).every(
    ([path, { version, link, optional }]) =>
      !path.includes('node_modules/') || link || optional || installed[path]?.version === version,
  );
}

function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

async function installPrograms() {
  const missing = [...PROGRAMS, ...(isForCi ? WORDPRESS_PROGRAMS : [])].filter(
    ({ path, oldest = 0 }) => !existsSync(path) || (oldest > 0 && readMajorVersion(path) < oldest),
  );
  if (missing.length === 0) return;
  if (!canInstallPrograms) return reportMissing(missing);
  console.log(`Installing ${missing.map(({ name }) => name).join(', ')} (once) …`);
  const packages = new Set(missing.flatMap((program) => program.packages));
  const problem = `Cannot install ${[...packages].join(' ')} with apt-get; see the output above.`;
  await updatePackageLists(problem);
  await run(['apt-get', '-qq', 'install', '-y', '--no-install-recommends', ...packages], problem);
}

/** Once per setup. */
function updatePackageLists(problem) {
  listUpdate ??= run(['apt-get', '-qq', 'update'], problem);
  return listUpdate;
}

/** Stops unless every missing program is optional. The test run skips and lists optional tests. */
function reportMissing(missing) {
  const required = missing.filter(({ isOptional }) => !isOptional);
  if (required.length === 0) return;
  const list = required.map(({ name, path }) => `  ${name} at ${path}`).join('\n');
  const packages = [...new Set(required.flatMap((program) => program.packages))].join(' ');
  stop(
    [
      `The tests need:\n${list}`,
      `On Debian, install them as root: apt-get update && apt-get install ${packages}`,
      'For browsers in another place, set the environment variables CHROMIUM and FIREFOX.',
    ].join('\n'),
  );
}

/** Unpacks WordPress only: installing its package would start a web server. */
async function unpackWordPress() {
  if (existsSync(`${WORDPRESS_FOLDER}/usr/share/wordpress`)) return;
  console.log('Unpacking WordPress (once) …');
  mkdirSync(WORDPRESS_FOLDER, { recursive: true });
  const packages = ['wordpress', 'wordpress-theme-twentytwentythree', 'libjs-underscore'];
  const problem = 'Cannot download and unpack WordPress; see the output above.';
  const download = ['apt-get', '-qq', '-o', 'APT::Sandbox::User=root', 'download', ...packages];
  await updatePackageLists(problem);
  await run(download, problem, WORDPRESS_FOLDER);
  const unpack =
    'for package in *.deb; do dpkg-deb -x "$package" . && rm "$package" || exit 1; done';
  await run(['sh', '-c', unpack], problem, WORDPRESS_FOLDER);
}

function readMajorVersion(path) {
  return Number(/\d+/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
}

/** Runs a program without showing its output. Stops the setup if the program fails. */
function run([program, ...args], problem, cwd = '.') {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', (error) => stop(`${problem}\n${error.message}`));
    child.on('close', (status) => (status === 0 ? resolve() : stop(problem)));
  });
}

function stop(problem) {
  console.error(problem);
  process.exit(1);
}
