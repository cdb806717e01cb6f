import type { CDPSession, Page } from 'playwright/test';

/** A node of Chromium's accessibility tree, as the DevTools protocol has it. */
interface AccessibilityNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly value?: { readonly value: string | number };
  readonly properties?: readonly {
    readonly name: string;
    readonly value: { readonly value?: unknown };
  }[];
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** Roles of documents and frames, which have focus when a control inside has. */
const CONTAINER_ROLES = new Set(['RootWebArea', 'Iframe', 'IframePresentational']);

/**
 * Writes down what a screen reader would say: changes of live regions, and the focused element's
 * role, name, states, and description in Chromium's accessibility tree.
 */
export class ScreenReader {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #lines: string[] = [];
  #announcements: string[] = [];
  #lastFocus = '';

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Starts listening. The form must have loaded. */
  static async start(page: Page): Promise<ScreenReader> {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    const reader = new ScreenReader(page, session);
    await page.exposeFunction('announce', (text: string) => {
      reader.#announcements.push(text);
    });
    await page.evaluate(() => {
      const { announce } = window as unknown as { announce: (text: string) => void };
      const lastTexts = new WeakMap<Element, string>();
      new MutationObserver((changes) => {
        const regions = changes.map(({ target }) =>
          (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>(
            '[role=alert], [role=status], [aria-live=off]',
          ),
        );
        for (const region of new Set(regions)) {
          const text = region?.innerText.replace(/\s+/g, ' ').trim() ?? '';
          if (!region || region.ariaLive === 'off' || lastTexts.get(region) === text) continue;
          lastTexts.set(region, text);
          if (text !== '') announce(`${region.role}: ${text}`);
        }
      }).observe(document.querySelector('donation-form')!.shadowRoot!, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    return reader;
  }

  /** Writes down what the donor does, and what the screen reader says then. */
  async record(step: string, act: () => Promise<unknown>): Promise<void> {
    await act();
    // Let the observer report, and the accessibility tree follow the page.
    await this.#page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        }),
    );
    const focus = await this.#describeFocus();
    const heard = [
      ...this.#announcements,
      ...(focus === this.#lastFocus || focus === '' ? [] : [focus]),
    ];
    this.#announcements = [];
    this.#lastFocus = focus;
    this.#lines.push(`1. ${step}`, ...heard.map((line) => `   - ${line}`));
  }

  /** The steps as a Markdown list. */
  get transcript(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  async #describeFocus(): Promise<string> {
    const { frameTree } = (await this.#session.send('Page.getFrameTree')) as unknown as {
      frameTree: FrameTree;
    };
    for (const frameId of listFrames(frameTree)) {
      const { nodes } = (await this.#session.send('Accessibility.getFullAXTree', {
        frameId,
      })) as unknown as { nodes: readonly AccessibilityNode[] };
      const focused = nodes.find(
        (node) =>
          !node.ignored &&
          getProperty(node, 'focused') === true &&
          !CONTAINER_ROLES.has(node.role?.value ?? ''),
      );
      if (focused) return describeNode(focused);
    }
    return '';
  }
}

/** Returns the IDs of a frame and its descendants. */
function listFrames({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(listFrames)];
}

function getProperty(node: AccessibilityNode, name: string): unknown {
  return node.properties?.find((property) => property.name === name)?.value.value;
}

function describeNode(node: AccessibilityNode): string {
  const { role, name, value, description } = node;
  const checked = getProperty(node, 'checked');
  const states = [
    checked === 'true' ? 'checked' : '',
    checked === 'false' ? 'not checked' : '',
    getProperty(node, 'required') === true ? 'required' : '',
    getProperty(node, 'invalid') === 'true' ? 'invalid' : '',
    value === undefined || value.value === '' ? '' : `value “${value.value}”`,
    description === undefined || description.value === '' ? '' : `“${description.value}”`,
  ].filter((state) => state !== '');
  const roleName = role?.value === 'generic' ? 'text' : role?.value;
  return [`${roleName} “${name?.value ?? ''}”`, ...states].join(', ');
}
