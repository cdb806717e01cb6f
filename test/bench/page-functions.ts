/** Functions that run in the page. They are sent as text, so they use nothing from outside. */

export interface Markup {
  readonly forms: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Adds forms whose script is not loaded yet. */
export function addForms({ forms, attributes }: Markup): void {
  for (let index = 0; index < forms; index += 1) {
    const form = document.createElement('donation-form');
    for (const [name, value] of Object.entries(attributes)) form.setAttribute(name, value);
    document.body.append(form);
  }
}

/** Answers requests to other machines at once with an empty object. */
export function answerForeignRequests(): void {
  const send = window.fetch;
  window.fetch = (input, init) => {
    const { hostname } = new URL(new Request(input, init).url);
    return hostname === '127.0.0.1' ? send(input, init) : Promise.resolve(Response.json({}));
  };
}

export interface Loading {
  readonly script: string;
  readonly style: string | undefined;
  /** Selectors in each form that need a box, see `Subject`. */
  readonly selectors: readonly string[];
  /** URL of a request that stops the page before the script loads, and when the forms are ready. */
  readonly gate: string | undefined;
}

/**
 * Loads the script, and waits for the first painted frame in which each form has all its fields and
 * a button with a text.
 * @returns the milliseconds until then.
 */
export function loadForms({ script, style, selectors, gate }: Loading): Promise<number> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    const forms = [...document.querySelectorAll('donation-form')].reverse();
    const isComplete = (form: Element): boolean =>
      selectors.every((selector) => {
        const control = (form.shadowRoot ?? form).querySelector(selector);
        return (
          control !== null &&
          control.getBoundingClientRect().height > 0 &&
          (control.tagName !== 'BUTTON' || control.textContent !== '')
        );
      });
    // While the request waits, the page uses no CPU time and starts no task.
    const waitAtGate = (): void => {
      if (gate === undefined) return;
      const request = new XMLHttpRequest();
      request.open('GET', gate, false);
      request.send();
    };
    const check = (startedAt: number): void => {
      if (performance.now() - startedAt > 60_000) {
        reject(new Error('The form was not ready after a minute.'));
      } else if ((style === undefined || link.sheet) && forms.every(isComplete)) {
        // A message arrives after the frame is painted.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const duration = performance.now() - startedAt;
          waitAtGate();
          resolve(duration);
        };
        channel.port2.postMessage(undefined);
      } else
        requestAnimationFrame(() => {
          check(startedAt);
        });
    };
    const start = (): void => {
      const startedAt = performance.now();
      if (style !== undefined) {
        link.rel = 'stylesheet';
        link.href = style;
        document.head.append(link);
      }
      const element = document.createElement('script');
      element.type = 'module';
      element.src = script;
      element.addEventListener('error', () => {
        reject(new Error(`Cannot load ${script}.`));
      });
      document.head.append(element);
      requestAnimationFrame(() => {
        check(startedAt);
      });
    };
    setTimeout(() => {
      waitAtGate();
      setTimeout(start);
    }, 50);
  });
}

declare global {
  interface Window {
    /** Milliseconds that the form's listeners took for each click. */
    clickTimes?: number[];
  }
}

/** Starts to record how long the form's listeners take for each click. */
export function recordClicks(): void {
  const times: number[] = [];
  window.clickTimes = times;
  let startedAt: number | undefined;
  let endedAt = 0;
  addEventListener(
    'click',
    () => {
      // A click on a label makes another one on its control.
      if (startedAt !== undefined) return;
      startedAt = performance.now();
      const begin = startedAt;
      requestAnimationFrame(() => {
        times.push(endedAt - begin);
        startedAt = undefined;
      });
    },
    true,
  );
  for (const type of ['click', 'input', 'change'])
    addEventListener(type, () => {
      endedAt = performance.now();
    });
}

/** Scrolls the controls into view and returns the centers of those that have a box. */
export function locateControls(selector: string): { x: number; y: number }[] {
  const form = document.querySelector('donation-form')!;
  const controls = [...(form.shadowRoot ?? form).querySelectorAll(selector)];
  controls[0]?.scrollIntoView({ block: 'center' });
  return controls
    .map((control) => control.getBoundingClientRect())
    .filter(({ height }) => height > 0)
    .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
}

/** Waits until the form can send a donation. @returns the time of the page's clock. */
export function waitForReadyEvent(): Promise<number> {
  return new Promise((resolve) => {
    addEventListener('donation-form-ready', () => {
      resolve(performance.now());
    });
  });
}

/** Lists the URLs of the responses that have arrived by this time. */
export function listRequests(end: number): string[] {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => (entry as PerformanceResourceTiming).responseEnd <= end)
    .map(({ name }) => name);
}
