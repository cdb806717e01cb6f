/** Script of the wallet buttons' frame. */
export {};

interface StartOptions {
  readonly types: readonly string[];
  readonly height: number;
  readonly appearance?: Appearance;
}

interface Appearance {
  readonly theme?: string;
  readonly variables?: { readonly borderRadius?: string };
}

const LABELS: Readonly<Record<string, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  paypal: 'PayPal',
};
const main = document.querySelector('main')!;

const postEvent = (event: string, value?: unknown): void =>
  window.parent.postMessage({ fake: 'wallet', event, value }, '*');

function applyAppearance({ theme, variables }: Appearance = {}): void {
  document.documentElement.classList.toggle('dark', theme === 'night');
  const radius = variables?.borderRadius;
  if (radius !== undefined) main.style.setProperty('--radius', radius);
}

const REQUEST_HANDLERS: Readonly<Record<string, (value: never) => unknown>> = {
  start({ types, height, appearance }: StartOptions) {
    applyAppearance(appearance);
    main.replaceChildren(
      ...types.map((type) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = type;
        button.textContent = LABELS[type] ?? type;
        button.style.height = `${height}px`;
        button.addEventListener('click', () => postEvent('click', type));
        return button;
      }),
    );
  },
  applyAppearance: ({ appearance }: StartOptions) => applyAppearance(appearance),
  focus: () => main.querySelector('button')?.focus(),
};

window.addEventListener(
  'message',
  ({
    source,
    data,
  }: MessageEvent<{ fake?: string; id: number; request: string; value: never }>) => {
    if (source !== window.parent || data.fake !== 'wallet') return;
    const response = REQUEST_HANDLERS[data.request]?.(data.value);
    window.parent.postMessage({ fake: 'wallet', id: data.id, response }, '*');
  },
);
postEvent('loaded');
