/**
 * The preview of a form that no server offers yet, in the frame of the form builder.
 * It is the form as pages have it, but for its endpoint and its payment fields: this page answers
 * the one and draws the other, so that no processor is asked.
 */
import { PaymentMethodType } from '@donation-form/core/donation';
import {
  type MountPaymentField,
  registerPaymentProvider,
} from '@donation-form/donation-form/payment';
import { onlyPreview } from '../only-preview.ts';
import type { Shown } from './shown.ts';

const ENDPOINT = '/builder/';
const form = document.createElement('donation-form');
const sheet = new CSSStyleSheet();
let shown: Shown | undefined;
let loads = 0;

document.adoptedStyleSheets = [sheet];
form.setAttribute('endpoint', ENDPOINT);

const ask = globalThis.fetch.bind(globalThis);
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, document.baseURI);
  if (pathname === `${ENDPOINT}form`)
    return Response.json(shown!.definition, { headers: { ETag: '"preview"' } });
  if (pathname === `${ENDPOINT}challenge`) return new Response(null, { status: 204 });
  return ask(input, { ...init, credentials: 'same-origin' });
};

const mount: MountPaymentField = async (host) => {
  const words = document.createElement('p');
  words.className = 'stand-in';
  words.textContent = 'The payment processor’s fields stand here.';
  host.append(words);
  return {
    update: () => undefined,
    confirm: async () => ({ token: 'preview', method: PaymentMethodType.CreditCard }),
    act: async () => undefined,
    focus: () => undefined,
    destroy: () => undefined,
  };
};

addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source === parent && origin === location.origin && isShown(data)) show(data);
});

/** Browsers' extensions and tools write to frames, too. */
function isShown(data: unknown): data is Shown {
  return typeof data === 'object' && data !== null && 'definition' in data && 'styleSheet' in data;
}

function show(next: Shown): void {
  const isOther =
    shown === undefined ||
    JSON.stringify([shown.definition, shown.language]) !==
      JSON.stringify([next.definition, next.language]);
  shown = next;
  document.documentElement.style.colorScheme = next.scheme;
  sheet.replaceSync(next.styleSheet);
  form.className = next.theme ? `theme-${next.theme}` : '';
  if (isOther) withoutFlicker(() => load(next));
}

/**
 * The form loads anew what it is, and keeps what was chosen in it, where another id is asked of its
 * endpoint.
 */
async function load({ definition, language }: Shown): Promise<void> {
  for (const { provider } of definition.payments)
    registerPaymentProvider(provider, async () => ({ mount }));
  const loaded = new Promise((resolve) => {
    form.addEventListener('donation-form-load', resolve, { once: true });
  });
  const { scrollY } = window;
  form.setAttribute('language', language);
  form.setAttribute('form-id', String((loads += 1)));
  document.querySelector('.form')!.append(form);
  await loaded;
  scrollTo(0, scrollY);
}

/** Shows nothing of what stands there in between. */
function withoutFlicker(change: () => Promise<void>): void {
  if (!('startViewTransition' in document)) return void change();
  // A later change ends an earlier one's transition, and not the change.
  document.startViewTransition(change).ready.catch(() => undefined);
}

onlyPreview();
