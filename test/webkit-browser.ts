import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

/** Milliseconds for the driver to start or respond, the window to resize, and a page to open. */
const TIMEOUT = 20_000;

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

/** The system's WebKit: MiniBrowser, controlled by WebKitWebDriver on a virtual X display. */
export class WebKitBrowser {
  readonly #programs: ChildProgram[] = [];
  #sendCommand: SendCommand | undefined;

  /** Starts the browser. Ends all programs if that fails. */
  static async start(): Promise<WebKitBrowser> {
    const browser = new WebKitBrowser();
    try {
      browser.#sendCommand = await browser.#startSession();
    } catch (error) {
      browser.#killPrograms();
      throw error;
    }
    return browser;
  }

  /** Sends a command to the browser's session, such as `POST /url`. */
  sendCommand(...command: Parameters<SendCommand>): Promise<unknown> {
    return this.#sendCommand!(...command);
  }

  /** Runs the body of a function in the page. */
  runScript(script: string, args: readonly unknown[] = []): Promise<unknown> {
    return this.sendCommand('POST', '/execute/sync', { script, args });
  }

  async stop(): Promise<void> {
    await this.sendCommand('DELETE', '').catch(() => undefined);
    process.off('exit', this.#killPrograms);
    this.#killPrograms();
    await Promise.allSettled(this.#programs.map(({ exited }) => exited));
  }

  readonly #killPrograms = (): void => {
    for (const { child } of this.#programs.toReversed()) child.kill();
  };

  async #startSession(): Promise<SendCommand> {
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
    const options = '-displayfd 1 -screen 0 1280x1024x24 -nolisten tcp';
    const { child, exited } = this.#startProgram('Xvfb', options.split(' '));
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

export async function waitUntil(condition: () => Promise<boolean>, problem: string): Promise<void> {
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
