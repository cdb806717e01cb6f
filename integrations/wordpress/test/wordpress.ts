/**
 * Starts WordPress sites for tests, from Debian's packages, with the plugin, each in a temporary
 * folder and on its own port.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MARIADB, startMariaDb } from './mariadb.ts';

/** Folder where `scripts/setup.mjs` unpacks Debian's WordPress. */
const WORDPRESS = 'node_modules/.cache/wordpress/usr/share/wordpress';
export const PLUGIN = 'integrations/wordpress/donation-form';
export const OWNER = { name: 'owner', password: 'a long password' } as const;

export const hasWordPress = (): boolean =>
  [WORDPRESS, '/usr/bin/php', MARIADB].every((path) => existsSync(path));

export interface WordPressOptions {
  readonly url: string;
  /** Initial pages: contents by title. */
  readonly pages: Readonly<Record<string, string>>;
  /** Content-Security-Policy of the site's pages. */
  readonly policy: string;
}

export interface WordPress {
  /** URLs of the pages by title. */
  readonly pages: Readonly<Record<string, string>>;
  /** Adds PHP code to every page, like a theme. */
  readonly addCode: (code: string) => Promise<void>;
  /** Uninstalls the plugin and returns its remaining options. */
  readonly uninstall: () => Promise<unknown>;
  /** Returns PHP's error log. */
  readonly readErrorLog: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startWordPress({ url, pages, policy }: WordPressOptions): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-wordpress-'));
  const site = join(folder, 'site');
  const errorLog = join(folder, 'notices');
  const [database] = await Promise.all([startMariaDb(folder, 'wordpress'), copySite(site)]);
  const env = {
    PATH: process.env.PATH,
    PHP_CLI_SERVER_WORKERS: '4',
    WORDPRESS_SOCKET: database.socket,
    WORDPRESS_ADDRESS: url,
    WORDPRESS_NOTICES: errorLog,
    WORDPRESS_POLICY: policy,
  };
  const server = spawn('php', ['-d', 'opcache.enable_cli=1', '-S', new URL(url).host, '-t', site], {
    env,
    stdio: 'ignore',
    detached: true,
  });
  const readErrorLog = (): Promise<string> => readFile(errorLog, 'utf8').catch(() => '');
  const stop = async (): Promise<void> => {
    // Also stops the workers, which are in the same process group.
    process.kill(-server.pid!, 'SIGKILL');
    await database.stop();
    await rm(folder, { recursive: true });
  };
  const runScript = async (script: string, input = ''): Promise<unknown> => {
    const { stdout, stderr } = spawnSync('php', [join(site, script)], {
      input,
      env,
      encoding: 'utf8',
    });
    if (!/^[[{]/.test(stdout))
      throw new Error(`${script} failed: ${stdout}${stderr}${await readErrorLog()}`);
    return JSON.parse(stdout);
  };
  try {
    const ids = (await runScript('install.php', JSON.stringify(pages))) as Record<string, number>;
    for (
      let attempts = 0;
      !(await fetch(`${url}/wp-login.php`).then(
        ({ ok }) => ok,
        () => false,
      ));
      attempts += 1
    ) {
      if (server.exitCode !== null || attempts > 200)
        throw new Error(`WordPress did not respond: ${await readErrorLog()}`);
      await setTimeout(50);
    }
    const urls = Object.fromEntries(
      Object.entries(ids).map(([title, id]) => [title, `${url}/?page_id=${id}`]),
    );
    return {
      pages: urls,
      addCode: (code) =>
        writeFile(join(site, 'wp-content/mu-plugins/snippet.php'), `<?php\n${code}`),
      uninstall: () => runScript('uninstall.php'),
      readErrorLog,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function copySite(site: string): Promise<void> {
  await cp(WORDPRESS, site, { recursive: true });
  await cp('integrations/wordpress/test/site', site, { recursive: true });
  await cp(PLUGIN, join(site, 'wp-content/plugins/donation-form'), { recursive: true });
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true });
  await cp(
    'integrations/wordpress/test/site/policy.php',
    join(site, 'wp-content/mu-plugins/policy.php'),
  );
  await writeFile(join(site, 'favicon.ico'), '');
}
