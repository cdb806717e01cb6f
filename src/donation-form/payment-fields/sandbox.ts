import { PaymentMethodType } from '@donation-form/core/donation';
import { getAppearance, observeAppearance } from './appearance.ts';
import type { Confirmation, PaymentFieldFactory } from './payment-field.ts';

/** Payment method, as named in the frame's messages. */
type FrameMethod = 'card' | 'bank';

type FrameMessage =
  | { readonly type: 'ready' | 'submit' }
  | { readonly type: 'size'; readonly height: number }
  | { readonly type: 'method'; readonly method: FrameMethod }
  | {
      readonly type: 'token';
      readonly id: string;
      readonly token: string;
      readonly method?: FrameMethod;
    }
  | { readonly type: 'incomplete' | 'failed'; readonly id: string };

const CONFIRMATION_PROBLEMS: readonly string[] = ['incomplete', 'failed'];
const LOAD_TIMEOUT = 20_000;
const TOKEN_TIMEOUT = 20_000;

const toFrameMethods = (methods: readonly PaymentMethodType[]): FrameMethod[] => [
  ...(methods.includes(PaymentMethodType.CreditCard) ? ['card' as const] : []),
  ...(methods.includes(PaymentMethodType.ACH) ? ['bank' as const] : []),
];

const toMethodType = (method: FrameMethod | undefined): PaymentMethodType =>
  method === 'bank' ? PaymentMethodType.ACH : PaymentMethodType.CreditCard;

/**
 * Mounts the sandbox's payment field: a frame on the sandbox's origin, so that card numbers never
 * reach the page.
 */
export const mount: PaymentFieldFactory = (
  host,
  {
    options: { frame: frameUrl = '', publicKey = '', methods: configuredMethods },
    methods: formMethods,
    label,
    language,
    selectMethod,
    requestSubmit,
  },
) => {
  const methods = configuredMethods
    ? configuredMethods.split(',').map((method) => method.trim())
    : toFrameMethods(formMethods);
  const frame = document.createElement('iframe');
  const { origin } = new URL(frameUrl);
  const pendingConfirmations = new Map<string, (confirmation: Confirmation) => void>();
  const resolveConfirmation = (id: string, confirmation: Confirmation): void => {
    pendingConfirmations.get(id)?.(confirmation);
    pendingConfirmations.delete(id);
  };
  const abortController = new AbortController();
  const postToFrame = (message: object): void => frame.contentWindow?.postMessage(message, origin);

  const setImportantStyle = (property: string, value: string): void =>
    frame.style.setProperty(property, value, 'important');
  const updateAppearance = (): void => {
    const appearance = getAppearance(host);
    setImportantStyle('color-scheme', appearance.dark ? 'dark' : 'light');
    postToFrame({ type: 'appearance', appearance });
  };

  const ready = new Promise<void>((resolve, reject) => {
    setTimeout(
      () => reject(new Error(`The card frame of ${origin} did not respond in time.`)),
      LOAD_TIMEOUT,
    );
    addEventListener(
      'message',
      ({ source, origin: from, data }: MessageEvent<FrameMessage>) => {
        if (source !== frame.contentWindow || from !== origin) return;
        if (data.type === 'ready') resolve();
        else if (data.type === 'submit') requestSubmit();
        else if (data.type === 'method') selectMethod(toMethodType(data.method));
        else if (data.type === 'size') setImportantStyle('height', `${data.height}px`);
        else if (data.type === 'token')
          resolveConfirmation(data.id, {
            token: data.token,
            method: toMethodType(data.method),
          });
        else if ('id' in data && CONFIRMATION_PROBLEMS.includes(data.type))
          resolveConfirmation(data.id, { problem: data.type });
      },
      { signal: abortController.signal },
    );
  });

  // Compensates for the frame's padding, which leaves room for focus rings.
  host.style.setProperty('margin', '-5px', 'important');
  frame.title = label;
  // The page's style sheet applies to a frame in the light DOM.
  frame.style.cssText =
    'all: unset !important; display: block !important; width: 100% !important; height: 10.875em !important';
  frame.addEventListener('load', () => {
    postToFrame({ type: 'open', publicKey, language, methods });
    updateAppearance();
  });
  frame.addEventListener(
    'load',
    () => observeAppearance(host, updateAppearance, abortController.signal),
    { once: true },
  );
  frame.src = frameUrl;
  host.append(frame);

  return ready.then(() => ({
    confirm: () =>
      new Promise((resolve) => {
        const id = crypto.randomUUID();
        pendingConfirmations.set(id, resolve);
        setTimeout(() => resolveConfirmation(id, { problem: 'failed' }), TOKEN_TIMEOUT);
        postToFrame({ type: 'tokenize', id });
      }),
    update: () => undefined,
    // The sandbox's bank uses a separate page.
    handleNextAction: () => Promise.resolve(),
    focus: () => {
      frame.focus();
      postToFrame({ type: 'focus' });
    },
    destroy: () => {
      abortController.abort();
      for (const id of pendingConfirmations.keys()) resolveConfirmation(id, { problem: 'failed' });
    },
  }));
};
