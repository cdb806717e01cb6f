import { lookOf } from './look.ts';
import type { Confirmation, MountPaymentField } from './payment-field.ts';

type FromFrame =
  | { readonly type: 'ready' | 'submit' }
  | { readonly type: 'size'; readonly height: number }
  | { readonly type: 'token'; readonly id: string; readonly token: string }
  | { readonly type: 'incomplete' | 'failed'; readonly id: string };

const PROBLEMS: readonly string[] = ['incomplete', 'failed'];
const LOADING_TIME = 20_000, TOKEN_TIME = 20_000;

/** The sandbox's card field: a frame of the sandbox's own origin. The card number stays in there. */
export const mount: MountPaymentField = (host, { options: { frame: address = '', publicKey = '' }, language, requestSubmit }) => {
  const frame = document.createElement('iframe');
  const { origin } = new URL(address);
  const asked = new Map<string, (confirmation: Confirmation) => void>();
  const settle = (id: string, confirmation: Confirmation): void => {
    asked.get(id)?.(confirmation);
    asked.delete(id);
  };
  const leaving = new AbortController();
  const tell = (message: object): void => frame.contentWindow?.postMessage(message, origin);

  const dress = (): void => {
    const look = lookOf(host);
    frame.style.colorScheme = look.dark ? 'dark' : 'light';
    tell({ type: 'look', look });
  };

  const ready = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer from ${origin}`)), LOADING_TIME);
    addEventListener('message', ({ source, origin: from, data }: MessageEvent<FromFrame>) => {
      if (source !== frame.contentWindow || from !== origin) return;
      if (data.type === 'ready') resolve();
      else if (data.type === 'submit') requestSubmit();
      else if (data.type === 'size') frame.style.setProperty('height', `${data.height}px`, 'important');
      else if (data.type === 'token') settle(data.id, { token: data.token });
      else if ('id' in data && PROBLEMS.includes(data.type)) settle(data.id, { problem: data.type });
    }, { signal: leaving.signal });
  });

  frame.title = 'Card details';
  // The page's own style sheet reaches a frame in the light DOM.
  frame.style.cssText = 'display: block !important; width: 100% !important; height: 12em; border: 0 !important';
  frame.addEventListener('load', () => tell({ type: 'open', publicKey, language }));
  frame.addEventListener('load', dress);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', dress, { signal: leaving.signal });
  frame.src = address;
  host.append(frame);

  return ready.then(() => ({
    confirm: () => new Promise((resolve) => {
      const id = crypto.randomUUID();
      asked.set(id, resolve);
      setTimeout(() => settle(id, { problem: 'failed' }), TOKEN_TIME);
      tell({ type: 'tokenize', id });
    }),
    focus: () => { frame.focus(); tell({ type: 'focus' }); },
    destroy: () => {
      leaving.abort();
      for (const id of asked.keys()) settle(id, { problem: 'failed' });
    },
  }));
};
