import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BrowserLauncher } from '@web/test-runner';

/** Milliseconds for the driver to start or respond, the window to resize, and a page to open. */
const TIMEOUT = 20_000;
const MAX_ATTEMPTS = 3;

/** Sends a W3C WebDriver command. */
type SendCommand = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) => Promise<unknown>;

interface ChildProgram {
  readonly child: ChildProcess;
  /** Rejects when the program exits or fails to start. */
  readonly exited: Promise<never>;
}

/**
 * Runs component tests in WebKit: the system's MiniBrowser, controlled by WebKitWebDriver on a
 * virtual X display. One window opens all test files, one after another.
 */
export class WebKitLauncher implements BrowserLauncher {
  readonly name = 'WebKit';
  readonly type = 'webkit';
  readonly concurrency = 1;
  readonly #programs: ChildProgram[] = [];
  #browser: Promise<SendCommand> | undefined;
  /** ID of the test session whose page is open. */
  #session: string | undefined;

  /** Opens a test page. Restarts everything if the browser does not start or stays on a blank page. */
  async startSession(id: string, url: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#openPage(id, url);
        this.#session = id;
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
        console.log(`WebKit did not start (${(error as Error).message}). Retrying.`);
        this.#killPrograms();
        this.#programs.length = 0;
        this.#browser = undefined;
      }
    }
  }

  async #openPage(id: string, url: string): Promise<void> {
    const callBrowser = await (this.#browser ??= this.#startBrowser());
    await callBrowser('POST', '/url', { url });
    const isOpen = (): Promise<unknown> =>
      callBrowser('POST', '/execute/sync', {
        script: `
          const [page] = performance.getEntriesByType('navigation');
          return page?.name.includes(arguments[0]) && document.readyState !== 'loading'`,
        args: [id],
      });
    await waitUntil(
      async () =>
        (await isOpen().catch((error: unknown) => {
          // The previous page is still unloading.
          if (String(error).includes('unload event')) return false;
          throw error;
        })) === true,
      'WebKit did not open the page',
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
    // A blank page stops all running scripts.
    await (await this.#browser)?.('POST', '/url', { url: 'about:blank' }).catch(() => undefined);
    return {};
  }

  async startDebugSession(): Promise<void> {
    throw new Error(
      'WebKit runs on a virtual display, so its window is not visible. Debug in another browser.',
    );
  }

  async stop(): Promise<void> {
    await (await this.#browser)?.('DELETE', '').catch(() => undefined);
    process.off('exit', this.#killPrograms);
    this.#killPrograms();
    await Promise.allSettled(this.#programs.map(({ exited }) => exited));
  }

  readonly #killPrograms = (): void => {
    for (const { child } of this.#programs.toReversed()) child.kill();
  };

  async #startBrowser(): Promise<SendCommand> {
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
    const callBrowser: SendCommand = (method, path, body) =>
      driver(method, `/session/${sessionId}${path}`, body);
    await waitForStableSize(callBrowser);
    return callBrowser;
  }

  async #startDriver(): Promise<SendCommand> {
    process.once('exit', this.#killPrograms);
    const display = await this.#startDisplay();
    const port = await findFreePort();
    const driver = this.#startProgram('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
    });
    const call = createDriverClient(`http://127.0.0.1:${port}`);
    await Promise.race([
      driver.exited,
      waitUntil(
        () =>
          call('GET', '/status').then(
            () => true,
            () => false,
          ),
        'WebKitWebDriver did not respond',
      ),
    ]);
    return call;
  }

  /** Starts Xvfb, which finds a free display and prints its number. */
  async #startDisplay(): Promise<string> {
    const { child, exited } = this.#startProgram('Xvfb', [
      '-displayfd',
      '1',
      '-screen',
      '0',
      '1280x1024x24',
      '-nolisten',
      'tcp',
    ]);
    const displayFound = new Promise<string>((resolve) => {
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.endsWith('\n')) resolve(`:${output.trim()}`);
      });
    });
    return Promise.race([exited, displayFound]);
  }

  #startProgram(
    name: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): ChildProgram {
    const child = spawn(name, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
    });
    const exited = new Promise<never>((_, reject) => {
      child.once('error', (cause) => {
        reject(new Error(`${name} did not start: ${cause.message}`));
      });
      child.once('exit', (code) => {
        reject(new Error(`${name} exited with code ${code}: ${output}`));
      });
    });
    exited.catch(() => undefined);
    this.#programs.push({ child, exited });
    return { child, exited };
  }
}

/** Resizes the window and waits for GTK, which applies the size later and enforces a minimum width. */
async function waitForStableSize(browser: SendCommand): Promise<void> {
  await browser('POST', '/window/rect', { width: 800, height: 600 });
  let last = '';
  await waitUntil(async () => {
    await setTimeout(50);
    const before = last;
    last = JSON.stringify(
      await browser('POST', '/execute/sync', {
        script: 'return [innerWidth, innerHeight]',
        args: [],
      }),
    );
    return last === before;
  }, 'The WebKit window did not reach a stable size');
}

async function waitUntil(condition: () => Promise<boolean>, problem: string): Promise<void> {
  for (const end = Date.now() + TIMEOUT; Date.now() < end; await setTimeout(25)) {
    if (await condition()) return;
  }
  throw new Error(problem);
}

function createDriverClient(baseUrl: string): SendCommand {
  return async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      signal: AbortSignal.timeout(TIMEOUT),
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Error(`WebKitWebDriver responded to ${method} ${path} with "${error}": ${message}`);
    }
    return value;
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
