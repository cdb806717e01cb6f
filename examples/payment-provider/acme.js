import { getAppearance, PaymentMethodType } from 'donation-form/payment';

const TIMEOUT = 20_000;

export async function mount(host, { options, label, language, requestSubmit }) {
  const { origin } = new URL(options.url);
  const destroyed = new AbortController();
  const frame = document.createElement('iframe');
  frame.src = `${origin}/field`;
  frame.title = label;
  frame.style.cssText = 'display: block; width: 100%; height: 8em; border: 0';

  /** Sends Acme's page a message. Only this page gets the port on which it responds. */
  function send(message) {
    return new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      const signal = AbortSignal.any([destroyed.signal, AbortSignal.timeout(TIMEOUT)]);
      signal.addEventListener('abort', () => reject(signal.reason));
      frame.contentWindow.postMessage(message, origin, [port2]);
    });
  }

  addEventListener(
    'message',
    ({ source, data }) => {
      if (source === frame.contentWindow && data === 'submit') requestSubmit();
    },
    { signal: destroyed.signal },
  );
  await new Promise((resolve, reject) => {
    frame.onload = () => resolve(send({ type: 'open', language, appearance: getAppearance(host) }));
    setTimeout(reject, TIMEOUT, new Error('Acme did not respond in time.'));
    host.append(frame);
  });

  return {
    async confirm() {
      const { token, problem } = await send({ type: 'tokenize' });
      return problem ? { problem } : { token, method: PaymentMethodType.CreditCard };
    },
    // Called when the amount changes, for wallets.
    update: () => undefined,
    // Completes `action: { kind: 'field', secret }` with the donor, such as 3-D Secure.
    handleNextAction: async () => undefined,
    focus() {
      frame.focus();
      frame.contentWindow.postMessage({ type: 'focus' }, origin);
    },
    destroy() {
      destroyed.abort();
      frame.remove();
    },
  };
}
