/**
 * Script of a wallet's sheet. The sheet shows the charge and asks the donor for details and
 * approval.
 */
export {};

interface StartOptions {
  readonly key: string;
  readonly type: string;
  readonly business?: string;
  readonly amount: number;
  readonly currency: string;
  readonly isRecurring: boolean;
  readonly lineItems: readonly { readonly name: string; readonly amount: number }[];
  readonly recurringPaymentRequest?: {
    readonly regularBilling: {
      readonly amount: number;
      readonly recurringPaymentIntervalUnit?: string;
      readonly recurringPaymentIntervalCount?: number;
    };
  };
  readonly emailRequired?: boolean;
  readonly phoneNumberRequired?: boolean;
  readonly billingAddressRequired?: boolean;
}

/** Addresses that the wallet has stored. */
const ADDRESSES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  US: {
    line1: '12 Example Street',
    line2: null,
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
  DE: {
    line1: 'Musterstraße 1',
    line2: null,
    city: 'Berlin',
    state: '',
    postal_code: '10115',
    country: 'DE',
  },
};
const DECLINED_CARD = 'declined';

const form = document.querySelector('form')!;
const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
let options: StartOptions;

const postEvent = (event: string, value?: unknown): void =>
  window.parent.postMessage({ fake: 'wallet', event, value }, '*');
const getValue = (name: string): string =>
  form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`)!.value.trim();

function formatAmount(amount: number): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: options.currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}

function renderAmountRow(name: string, amount: string): HTMLElement[] {
  const term = document.createElement('dt');
  const description = document.createElement('dd');
  term.textContent = name;
  description.textContent = amount;
  return [term, description];
}

function describeInterval({ recurringPaymentRequest }: StartOptions): string {
  const billing = recurringPaymentRequest?.regularBilling;
  return billing
    ? `${formatAmount(billing.amount)} every ${billing.recurringPaymentIntervalCount} ` +
        `${billing.recurringPaymentIntervalUnit}`
    : '';
}

const REQUEST_HANDLERS: Readonly<Record<string, (value: never) => unknown>> = {
  start(started: StartOptions) {
    options = started;
    const { business = '', amount, lineItems } = started;
    document.querySelector('h1')!.textContent = business;
    document
      .querySelector('dl')!
      .replaceChildren(
        ...lineItems.flatMap((item) => renderAmountRow(item.name, formatAmount(item.amount))),
        ...renderAmountRow('Total', formatAmount(amount)),
      );
    document.querySelector('#interval')!.textContent = describeInterval(started);
    for (const [name, isShown] of Object.entries({
      name: started.billingAddressRequired,
      address: started.billingAddressRequired,
      email: started.emailRequired,
      phone: started.phoneNumberRequired,
    }))
      form.querySelector<HTMLElement>(`[name=${name}]`)!.closest('label')!.hidden = !isShown;
    button.focus();
  },
  async token({ return_url, setup_future_usage }: Readonly<Record<string, string | undefined>>) {
    const isCard = options.type === 'apple_pay' || options.type === 'google_pay';
    const number =
      isCard && getValue('card') === DECLINED_CARD ? `${options.type}_declined` : options.type;
    const fields = new URLSearchParams({
      'payment_method_data[type]': isCard ? 'card' : options.type,
      'payment_method_data[number]': number,
    });
    for (const [name, value] of Object.entries({ return_url, setup_future_usage }))
      if (value !== undefined) fields.set(name, value);
    if (options.billingAddressRequired)
      fields.set('payment_method_data[billing_details][name]', getValue('name'));
    if (options.emailRequired)
      fields.set('payment_method_data[billing_details][email]', getValue('email'));
    const response = await fetch('v1/confirmation_tokens', {
      method: 'POST',
      body: fields,
      headers: { Authorization: `Bearer ${options.key}` },
    });
    const token = (await response.json()) as { error?: object };
    return token.error ? { error: token.error } : { confirmationToken: token };
  },
};

window.addEventListener(
  'message',
  ({
    source,
    data,
  }: MessageEvent<{ fake?: string; id: number; request: string; value: never }>) => {
    if (source !== window.parent || data.fake !== 'wallet') return;
    void Promise.resolve(REQUEST_HANDLERS[data.request]?.(data.value)).then((response) =>
      window.parent.postMessage({ fake: 'wallet', id: data.id, response }, '*'),
    );
  },
);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  button.disabled = true;
  postEvent('approve', {
    name: getValue('name'),
    email: getValue('email'),
    phone: getValue('phone'),
    address: ADDRESSES[getValue('address')],
  });
});
document.querySelector('#cancel')!.addEventListener('click', () => postEvent('cancel'));
postEvent('loaded');
