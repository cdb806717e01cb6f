/**
 * Script of the payment element's frame. Typed values stay here; only a token's ID and preview
 * leave the frame.
 */
import { isSingleUse, isWallet, WALLET_LABELS, WALLETS } from './wallet-types.ts';

interface StartOptions {
  readonly key: string;
  readonly types: readonly string[];
  readonly currency: string;
  readonly isRecurring: boolean;
  /** Types to show first. */
  readonly order: readonly string[];
  readonly googlePay: boolean;
}

interface ValidationError {
  readonly type: 'validation_error';
  readonly code: string;
  readonly message: string;
}

const form = document.querySelector<HTMLFormElement>('form')!;
const methodsFieldset = document.querySelector<HTMLElement>('#methods')!;
const errorElement = document.querySelector<HTMLElement>('[role=alert]')!;
const REQUIRED_CURRENCY: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  ideal: 'eur',
  bancontact: 'eur',
};
const METHOD_LABELS: Readonly<Record<string, string>> = {
  card: 'Card',
  google_pay: 'Google Pay',
  us_bank_account: 'US bank account',
  sepa_debit: 'SEPA Direct Debit',
  link: 'Link',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  ...WALLET_LABELS,
};
let key = '';
let wasComplete: boolean | undefined;
let lastMethod: string | undefined;

const postEvent = (event: string, value?: unknown): void =>
  window.parent.postMessage({ fake: 'element', event, value }, '*');
const getSelectedMethod = (): string => (new FormData(form).get('method') ?? 'card') as string;
const getFieldValue = (name: string): string =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value.replaceAll(/\s/g, '');
const createIncompleteError = (code: string, what: string): ValidationError => ({
  type: 'validation_error',
  code,
  message: `Your ${what} is incomplete.`,
});

function validate(): ValidationError | undefined {
  if (getSelectedMethod() === 'us_bank_account')
    return /^\d{12}$/.test(getFieldValue('account'))
      ? undefined
      : createIncompleteError('incomplete_account_number', 'account number');
  if (getSelectedMethod() === 'sepa_debit')
    return /^[A-Z]{2}\d{2}\w{11,30}$/.test(getFieldValue('iban'))
      ? undefined
      : createIncompleteError('incomplete_iban', 'IBAN');
  if (getSelectedMethod() !== 'card') return undefined;
  if (getFieldValue('number').length < 15)
    return createIncompleteError('incomplete_number', 'card number');
  if (!isLuhn(getFieldValue('number')))
    return {
      type: 'validation_error',
      code: 'invalid_number',
      message: 'Your card number is invalid.',
    };
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(getFieldValue('expiry')) ?? [];
  if (month === undefined || year === undefined)
    return createIncompleteError('incomplete_expiry', "card's expiration date");
  if (new Date(2_000 + Number(year), Number(month)) <= new Date())
    return {
      type: 'validation_error',
      code: 'invalid_expiry_year_past',
      message: "Your card's expiration year is in the past.",
    };
  return /^\d{3,4}$/.test(getFieldValue('cvc'))
    ? undefined
    : createIncompleteError('incomplete_cvc', "card's security code");
}

function isLuhn(number: string): boolean {
  const sum = number
    .split('')
    .reverse()
    .map(Number)
    .reduce(
      (before, digit, index) =>
        before + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
      0,
    );
  return /^\d+$/.test(number) && sum % 10 === 0;
}

function render(): void {
  for (const part of form.querySelectorAll<HTMLElement>('[data-for]'))
    part.hidden = part.dataset.for !== getSelectedMethod();
  const complete = validate() === undefined;
  if (complete !== wasComplete || getSelectedMethod() !== lastMethod)
    postEvent('change', {
      elementType: 'payment',
      collapsed: false,
      complete,
      empty: ![...form.querySelectorAll<HTMLInputElement>('input:not([type=radio])')].some(
        ({ value }) => value,
      ),
      value: { type: getSelectedMethod() },
    });
  [wasComplete, lastMethod] = [complete, getSelectedMethod()];
  postEvent('height', document.documentElement.scrollHeight);
}

function showError(error: { readonly message?: string } | undefined): void {
  errorElement.textContent = error?.message ?? '';
  errorElement.hidden = !error;
  render();
}

/** Ranks types that are not in the order last. They keep their own, which Stripe would change. */
const getRank = (type: string, order: readonly string[]): number =>
  order.includes(type) ? order.indexOf(type) : order.length;

const REQUEST_HANDLERS: Readonly<Record<string, (value: never) => unknown>> = {
  start(options: StartOptions) {
    key = options.key;
    const previousMethod = getSelectedMethod();
    const types = options.types
      .filter((type) =>
        (isWallet(type)
          ? WALLETS[type][0]
          : (REQUIRED_CURRENCY[type] ?? options.currency)
        ).includes(options.currency),
      )
      .filter((type) => !options.isRecurring || !isSingleUse(type))
      .sort((one, other) => getRank(one, options.order) - getRank(other, options.order));
    if (types.includes('card') && options.googlePay) types.splice(1, 0, 'google_pay');
    methodsFieldset.replaceChildren(
      ...types.map((type) => {
        const label = document.createElement('label');
        const input = document.createElement('input');
        Object.assign(input, {
          type: 'radio',
          name: 'method',
          value: type,
          checked:
            type === previousMethod || (!types.includes(previousMethod) && type === types[0]),
        });
        label.append(input, ` ${METHOD_LABELS[type] ?? type}`);
        return label;
      }),
    );
    methodsFieldset.hidden = types.length < 2;
    render();
  },
  focus: () => form.querySelector<HTMLInputElement>('[data-for]:not([hidden]) input')?.focus(),
  submit() {
    const error = validate();
    showError(error);
    return error ? { error: error } : { selectedPaymentMethod: getSelectedMethod() };
  },
  async token({
    billing_details,
    return_url,
    setup_future_usage,
  }: {
    readonly billing_details?: object;
    readonly return_url?: string;
    readonly setup_future_usage?: string;
  }) {
    const number = { card: 'number', us_bank_account: 'account', sepa_debit: 'iban' }[
      getSelectedMethod()
    ];
    const fields = new URLSearchParams({
      'payment_method_data[type]':
        getSelectedMethod() === 'google_pay' ? 'card' : getSelectedMethod(),
      'payment_method_data[number]':
        number === undefined ? getSelectedMethod() : getFieldValue(number),
    });
    if (return_url !== undefined) fields.set('return_url', return_url);
    if (setup_future_usage !== undefined) fields.set('setup_future_usage', setup_future_usage);
    for (const [name, value] of Object.entries(billing_details ?? {}))
      if (typeof value === 'string' && value !== '')
        fields.set(`payment_method_data[billing_details][${name}]`, value);
    const response = await fetch('/v1/confirmation_tokens', {
      method: 'POST',
      body: fields,
      headers: { Authorization: `Bearer ${key}` },
    });
    const token = (await response.json()) as {
      id: string;
      error?: { message?: string };
      payment_method_preview: { type: string };
    };
    showError(token.error);
    return token.error ? { error: token.error } : { confirmationToken: token };
  },
};

window.addEventListener(
  'message',
  ({
    source,
    data,
  }: MessageEvent<{ fake?: string; id: number; request: string; value: never }>) => {
    if (source !== window.parent || data.fake !== 'element') return;
    void Promise.resolve(REQUEST_HANDLERS[data.request]?.(data.value)).then((response) =>
      window.parent.postMessage({ fake: 'element', id: data.id, response }, '*'),
    );
  },
);
form.addEventListener('input', () => showError(undefined));
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('focusin', () => postEvent('focus', { elementType: 'payment' }));
form.addEventListener('focusout', () => postEvent('blur', { elementType: 'payment' }));
postEvent('loaded');
