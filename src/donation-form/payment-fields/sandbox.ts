import { PaymentMethodType } from '@donation-form/core/donation';
import { lookOf, onLookChange } from './appearance.ts';
import type { Confirmation, MountPaymentField } from './payment-field.ts';

/** A way to pay, as the frame calls it. */
type Method = 'card' | 'bank';

type FromFrame =
  | { readonly type: 'ready' | 'submit' }
  | { readonly type: 'size'; readonly height: number }
  | {
      readonly type: 'token';
      readonly id: string;
      readonly token: string;
      readonly method?: Method;
    }
  | { readonly type: 'incomplete' | 'failed'; readonly id: string };

const PROBLEMS: readonly string[] = ['incomplete', 'failed'];
const LOADING_TIME = 20_000;
const TOKEN_TIME = 20_000;

/** The methods that the frame offers, where the definition's options do not list them. */
const methodsOf = (methods: readonly PaymentMethodType[]): Method[] => [
  ...(methods.includes(PaymentMethodType.CreditCard) ? ['card' as const] : []),
  ...(methods.includes(PaymentMethodType.ACH) ? ['bank' as const] : []),
];

/**
 * The sandbox's payment field: a frame of the sandbox's own origin. The card number stays in there.
 */
export const mount: MountPaymentField = (
  host,
  {
    options: { frame: address = '', publicKey = '', methods: listed },
    methods: offered,
    label,
    language,
    requestSubmit,
  },
) => {
  const methods = listed ? listed.split(',').map((method) => method.trim()) : methodsOf(offered);
  const frame = document.createElement('iframe');
  const { origin } = new URL(address);
  const asked = new Map<string, (confirmation: Confirmation) => void>();
  const settle = (id: string, confirmation: Confirmation): void => {
    asked.get(id)?.(confirmation);
    asked.delete(id);
  };
  const leaving = new AbortController();
  const tell = (message: object): void => frame.contentWindow?.postMessage(message, origin);

  const important = (property: string, value: string): void =>
    frame.style.setProperty(property, value, 'important');
  const dress = (): void => {
    const look = lookOf(host);
    important('color-scheme', look.dark ? 'dark' : 'light');
    tell({ type: 'look', look });
  };

  const ready = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer from ${origin}`)), LOADING_TIME);
    addEventListener(
      'message',
      ({ source, origin: from, data }: MessageEvent<FromFrame>) => {
        if (source !== frame.contentWindow || from !== origin) return;
        if (data.type === 'ready') resolve();
        else if (data.type === 'submit') requestSubmit();
        else if (data.type === 'size') important('height', `${data.height}px`);
        else if (data.type === 'token')
          settle(data.id, {
            token: data.token,
            method: data.method === 'bank' ? PaymentMethodType.ACH : PaymentMethodType.CreditCard,
          });
        else if ('id' in data && PROBLEMS.includes(data.type))
          settle(data.id, { problem: data.type });
      },
      { signal: leaving.signal },
    );
  });

  // The frame's own margin is the room of its focus rings.
  host.style.setProperty('margin', '-5px', 'important');
  frame.title = label;
  // The page's own style sheet reaches a frame in the light DOM.
  frame.style.cssText =
    'all: unset !important; display: block !important; width: 100% !important; height: 10.875em !important';
  frame.addEventListener('load', () => {
    tell({ type: 'open', publicKey, language, methods });
    dress();
  });
  frame.addEventListener('load', () => onLookChange(host, dress, leaving.signal), { once: true });
  frame.src = address;
  host.append(frame);

  return ready.then(() => ({
    confirm: () =>
      new Promise((resolve) => {
        const id = crypto.randomUUID();
        asked.set(id, resolve);
        setTimeout(() => settle(id, { problem: 'failed' }), TOKEN_TIME);
        tell({ type: 'tokenize', id });
      }),
    update: () => undefined,
    // What the sandbox's bank asks for, it asks on a page of its own.
    act: () => Promise.resolve(),
    focus: () => {
      frame.focus();
      tell({ type: 'focus' });
    },
    destroy: () => {
      leaving.abort();
      for (const id of asked.keys()) settle(id, { problem: 'failed' });
    },
  }));
};
