import type { BrowserLauncher } from '@web/test-runner';
import { waitUntil, WebKitBrowser } from './webkit-browser.ts';

const MAX_ATTEMPTS = 3;

/**
 * Runs component tests in WebKit: the system's MiniBrowser, controlled by WebKitWebDriver on a
 * virtual X display. One window opens all test files, one after another.
 */
export class WebKitLauncher implements BrowserLauncher {
  readonly name = 'WebKit';
  readonly type = 'webkit';
  readonly concurrency = 1;
  #browser: Promise<WebKitBrowser> | undefined;
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
        await this.#stopBrowser();
      }
    }
  }

  async #openPage(id: string, url: string): Promise<void> {
    const browser = await (this.#browser ??= WebKitBrowser.start());
    await browser.sendCommand('POST', '/url', { url });
    const isOpen = (): Promise<unknown> =>
      browser.runScript(
        `const [page] = performance.getEntriesByType('navigation');
        return page?.name.includes(arguments[0]) && document.readyState !== 'loading'`,
        [id],
      );
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
    const browser = await this.#browser!;
    return (await browser.sendCommand('GET', '/url')) as string;
  }

  async stopSession(): Promise<object> {
    this.#session = undefined;
    const browser = await this.#browser;
    // A blank page stops all running scripts.
    await browser?.sendCommand('POST', '/url', { url: 'about:blank' }).catch(() => undefined);
    return {};
  }

  async startDebugSession(): Promise<void> {
    throw new Error(
      'WebKit runs on a virtual display, so its window is not visible. Debug in another browser.',
    );
  }

  stop(): Promise<void> {
    return this.#stopBrowser();
  }

  async #stopBrowser(): Promise<void> {
    const browser = await this.#browser?.catch(() => undefined);
    this.#browser = undefined;
    await browser?.stop();
  }
}
