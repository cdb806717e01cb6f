import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BrowserLauncher } from '@web/test-runner';

/** How long a driver may take to listen or to answer, a window to settle, and a page to open. */
const PATIENCE = 20_000;
const MOST_TRIES = 3;

/** A call of W3C WebDriver. */
type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

interface Program {
  readonly child: ChildProcess;
  /** Is rejected when the program has ended, or did not start. */
  readonly ended: Promise<never>;
}

/**
 * Runs component tests in WebKit: the system's MiniBrowser, which WebKitWebDriver drives, on an X
 * display that nobody sees. One window opens all test files, one after another.
 */
export class WebKitLauncher implements BrowserLauncher {
  readonly name = 'WebKit';
  readonly type = 'webkit';
  readonly concurrency = 1;
  readonly #programs: Program[] = [];
  #browser: Promise<Call> | undefined;
  /** The test session whose page is open. */
  #session: string | undefined;

  /**
   * Now and then a browser does not come up, or stays on its empty page: then all of it is started
   * anew.
   */
  async startSession(id: string, url: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#open(id, url);
        this.#session = id;
        return;
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        console.log(`WebKit did not start (${(error as Error).message}); once more`);
        this.#end();
        this.#programs.length = 0;
        this.#browser = undefined;
      }
    }
  }

  async #open(id: string, url: string): Promise<void> {
    const browser = await (this.#browser ??= this.#startBrowser());
    await browser('POST', '/url', { url });
    const isOpen = (): Promise<unknown> =>
      browser('POST', '/execute/sync', {
        script: `
          const [page] = performance.getEntriesByType('navigation');
          return page?.name.includes(arguments[0]) && document.readyState !== 'loading'`,
        args: [id],
      });
    await until(
      async () =>
        (await isOpen().catch((error: unknown) => {
          // The page that was open before is unloading.
          if (String(error).includes('unload event')) return false;
          throw error;
        })) === true,
      'WebKit does not open the page',
    );
  }

  isActive(id: string): boolean {
    return this.#session === id;
  }

  async getBrowserUrl(): Promise<string> {
    return (await (
      await this.#browser!
    )('GET', '/url')) as string;
  }

  async stopSession(): Promise<object> {
    this.#session = undefined;
    // An empty page ends what still runs.
    await (await this.#browser)?.('POST', '/url', { url: 'about:blank' }).catch(() => undefined);
    return {};
  }

  async startDebugSession(): Promise<void> {
    throw new Error(
      'The window of WebKit is on a display that nobody sees: debug in another browser.',
    );
  }

  async stop(): Promise<void> {
    await (await this.#browser)?.('DELETE', '').catch(() => undefined);
    process.off('exit', this.#end);
    this.#end();
    await Promise.allSettled(this.#programs.map(({ ended }) => ended));
  }

  readonly #end = (): void => {
    for (const { child } of this.#programs.toReversed()) child.kill();
  };

  async #startBrowser(): Promise<Call> {
    const driver = await this.#startDriver();
    const { sessionId } = (await driver('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          pageLoadStrategy: 'none',
          'webkitgtk:browserOptions': { args: ['--automation'] },
        },
      },
    })) as { sessionId: string };
    const browser: Call = (method, path, body) =>
      driver(method, `/session/${sessionId}${path}`, body);
    await settle(browser);
    return browser;
  }

  async #startDriver(): Promise<Call> {
    process.once('exit', this.#end);
    const display = await this.#startDisplay();
    const port = await freePort();
    const driver = this.#start('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
    });
    const call = caller(`http://127.0.0.1:${port}`);
    await Promise.race([
      driver.ended,
      until(
        () =>
          call('GET', '/status').then(
            () => true,
            () => false,
          ),
        'WebKitWebDriver does not answer',
      ),
    ]);
    return call;
  }

  /** Xvfb looks for a free display itself, and says which it found. */
  async #startDisplay(): Promise<string> {
    const { child, ended } = this.#start('Xvfb', [
      '-displayfd',
      '1',
      '-screen',
      '0',
      '1280x1024x24',
      '-nolisten',
      'tcp',
    ]);
    const found = new Promise<string>((resolve) => {
      let said = '';
      child.stdout?.on('data', (piece: Buffer) => {
        said += piece.toString();
        if (said.endsWith('\n')) resolve(`:${said.trim()}`);
      });
    });
    return Promise.race([ended, found]);
  }

  #start(
    name: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Program {
    const child = spawn(name, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said = (said + piece.toString()).slice(-2_000);
    });
    const ended = new Promise<never>((_, reject) => {
      child.once('error', (cause) => {
        reject(new Error(`${name} could not be started: ${cause.message}`));
      });
      child.once('exit', (code) => {
        reject(new Error(`${name} ended with ${code}: ${said}`));
      });
    });
    ended.catch(() => undefined);
    this.#programs.push({ child, ended });
    return { child, ended };
  }
}

/** A window grows to its size only after it is there, and never under a width that GTK wants. */
async function settle(browser: Call): Promise<void> {
  await browser('POST', '/window/rect', { width: 800, height: 600 });
  let last = '';
  await until(async () => {
    await setTimeout(50);
    const before = last;
    last = JSON.stringify(
      await browser('POST', '/execute/sync', {
        script: 'return [innerWidth, innerHeight]',
        args: [],
      }),
    );
    return last === before;
  }, 'The window of WebKit does not settle');
}

async function until(isSo: () => Promise<boolean>, problem: string): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await setTimeout(25)) {
    if (await isSo()) return;
  }
  throw new Error(problem);
}

function caller(address: string): Call {
  return async (method, path, body) => {
    const response = await fetch(address + path, {
      signal: AbortSignal.timeout(PATIENCE),
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Error(`WebKitWebDriver answered ${method} ${path} with "${error}": ${message}`);
    }
    return value;
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
