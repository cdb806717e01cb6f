/**
 * Entry script of the form builder's preview frame, which shows the published form. This script
 * responds to the form's requests and replaces the payment fields, so the form needs neither an
 * endpoint nor a payment provider.
 */
import '../preview.ts';
import { PaymentMethodType } from '@donation-form/core/donation';
import {
  type PaymentFieldFactory,
  registerPaymentProvider,
  type WalletButtonsFactory,
} from '@donation-form/donation-form/payment';
import type { PreviewMessage } from './form-preview.ts';

const ENDPOINT = '/builder/';
const form = document.createElement('donation-form');
const sheet = new CSSStyleSheet();
let lastMessage: PreviewMessage | undefined;
let loadCount = 0;

document.adoptedStyleSheets = [sheet];
form.setAttribute('endpoint', ENDPOINT);

const originalFetch = globalThis.fetch.bind(globalThis);
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI);
  if (pathname === `${ENDPOINT}form`)
    return Response.json(lastMessage!.definition, { headers: { ETag: '"preview"' } });
  if (pathname === `${ENDPOINT}challenge`) return new Response(null, { status: 204 });
  return originalFetch(input, { ...init, credentials: 'same-origin' });
};

function appendPlaceholder(host: HTMLElement, text: string): void {
  const placeholder = document.createElement('p');
  placeholder.className = 'placeholder';
  placeholder.textContent = text;
  host.append(placeholder);
}

const mount: PaymentFieldFactory = async (host) => {
  appendPlaceholder(host, 'The payment fields appear here.');
  return {
    update: () => undefined,
    confirm: async () => ({ token: 'preview', method: PaymentMethodType.CreditCard }),
    handleNextAction: async () => undefined,
    focus: () => undefined,
    destroy: () => undefined,
  };
};

const mountWallets: WalletButtonsFactory = async (host) => {
  appendPlaceholder(host, 'The wallet buttons appear here.');
  return { update: () => undefined, focus: () => undefined, destroy: () => undefined };
};

addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source === parent && origin === location.origin && isPreviewMessage(data)) showPreview(data);
});

/** Returns true for messages from the form builder. Browser extensions can send other messages. */
function isPreviewMessage(data: unknown): data is PreviewMessage {
  return typeof data === 'object' && data !== null && 'definition' in data && 'styleSheet' in data;
}

function showPreview(message: PreviewMessage): void {
  const isFormChanged =
    lastMessage === undefined ||
    JSON.stringify([lastMessage.definition, lastMessage.language]) !==
      JSON.stringify([message.definition, message.language]);
  lastMessage = message;
  document.documentElement.style.colorScheme = message.scheme;
  sheet.replaceSync(message.styleSheet);
  form.className = message.theme ? `theme-${message.theme}` : '';
  if (isFormChanged) runInViewTransition(() => loadForm(message));
}

/** Reloads the form by changing its `form-id` attribute. The form keeps the entered values. */
async function loadForm({ definition, language }: PreviewMessage): Promise<void> {
  for (const { provider } of definition.payments)
    registerPaymentProvider(provider, async () => ({ mount, mountWallets }));
  const loaded = new Promise((resolve) => {
    form.addEventListener('donation-form-load', resolve, { once: true });
  });
  const { scrollY } = window;
  form.setAttribute('language', language);
  form.setAttribute('form-id', String((loadCount += 1)));
  document.querySelector('.form')!.append(form);
  await loaded;
  scrollTo(0, scrollY);
}

/** Applies a change to the page in a view transition, which hides intermediate states. */
function runInViewTransition(change: () => Promise<void>): void {
  if (!('startViewTransition' in document)) return void change();
  // Ignore the error if a later change aborts this transition.
  document.startViewTransition(change).ready.catch(() => undefined);
}
