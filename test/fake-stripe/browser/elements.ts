/**
 * The frame with the fields: whatever is typed stays here; only a token's id and a preview leave.
 */
export {};

interface Start {
  readonly key: string;
  readonly types: readonly string[];
  readonly currency: string;
  readonly googlePay: boolean;
}

interface Problem {
  readonly type: 'validation_error';
  readonly code: string;
  readonly message: string;
}

const form = document.querySelector<HTMLFormElement>('form')!;
const methods = document.querySelector<HTMLElement>('#methods')!;
const alertLine = document.querySelector<HTMLElement>('[role=alert]')!;
const ONLY_IN: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  ideal: 'eur',
};
const NAMES: Readonly<Record<string, string>> = {
  card: 'Card',
  google_pay: 'Google Pay',
  us_bank_account: 'US bank account',
  sepa_debit: 'SEPA Direct Debit',
  link: 'Link',
  ideal: 'iDEAL',
};
let key = '';
let wasComplete: boolean | undefined;
let lastMethod: string | undefined;

const tell = (about: string, value?: unknown): void =>
  window.parent.postMessage({ fake: 'element', about, value }, '*');
const method = (): string => (new FormData(form).get('method') ?? 'card') as string;
const typed = (name: string): string =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value.replaceAll(/\s/g, '');
const incomplete = (code: string, what: string): Problem => ({
  type: 'validation_error',
  code,
  message: `Your ${what} is incomplete.`,
});

function problem(): Problem | undefined {
  if (method() === 'us_bank_account')
    return /^\d{12}$/.test(typed('account'))
      ? undefined
      : incomplete('incomplete_account_number', 'account number');
  if (method() === 'sepa_debit')
    return /^[A-Z]{2}\d{2}\w{11,30}$/.test(typed('iban'))
      ? undefined
      : incomplete('incomplete_iban', 'IBAN');
  if (method() !== 'card') return undefined;
  if (typed('number').length < 15) return incomplete('incomplete_number', 'card number');
  if (!isLuhn(typed('number')))
    return {
      type: 'validation_error',
      code: 'invalid_number',
      message: 'Your card number is invalid.',
    };
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(typed('expiry')) ?? [];
  if (month === undefined || year === undefined)
    return incomplete('incomplete_expiry', "card's expiration date");
  if (new Date(2_000 + Number(year), Number(month)) <= new Date())
    return {
      type: 'validation_error',
      code: 'invalid_expiry_year_past',
      message: "Your card's expiration year is in the past.",
    };
  return /^\d{3,4}$/.test(typed('cvc'))
    ? undefined
    : incomplete('incomplete_cvc', "card's security code");
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
    part.hidden = part.dataset.for !== method();
  const complete = problem() === undefined;
  if (complete !== wasComplete || method() !== lastMethod)
    tell('change', {
      elementType: 'payment',
      collapsed: false,
      complete,
      empty: ![...form.querySelectorAll<HTMLInputElement>('input:not([type=radio])')].some(
        ({ value }) => value,
      ),
      value: { type: method() },
    });
  [wasComplete, lastMethod] = [complete, method()];
  tell('height', document.documentElement.scrollHeight);
}

function showProblem(shown: { readonly message?: string } | undefined): void {
  alertLine.textContent = shown?.message ?? '';
  alertLine.hidden = !shown;
  render();
}

const asks: Readonly<Record<string, (value: never) => unknown>> = {
  start(options: Start) {
    key = options.key;
    const before = method();
    const offered = options.types.filter(
      (type) => (ONLY_IN[type] ?? options.currency) === options.currency,
    );
    if (offered.includes('card') && options.googlePay) offered.splice(1, 0, 'google_pay');
    methods.replaceChildren(
      ...offered.map((type) => {
        const label = document.createElement('label');
        const input = document.createElement('input');
        Object.assign(input, {
          type: 'radio',
          name: 'method',
          value: type,
          checked: type === before || (!offered.includes(before) && type === offered[0]),
        });
        label.append(input, ` ${NAMES[type] ?? type}`);
        return label;
      }),
    );
    methods.hidden = offered.length < 2;
    render();
  },
  focus: () => form.querySelector<HTMLInputElement>('[data-for]:not([hidden]) input')?.focus(),
  submit() {
    const found = problem();
    showProblem(found);
    return found ? { error: found } : { selectedPaymentMethod: method() };
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
    const number = { card: 'number', us_bank_account: 'account', sepa_debit: 'iban' }[method()];
    const fields = new URLSearchParams({
      'payment_method_data[type]': method() === 'google_pay' ? 'card' : method(),
      'payment_method_data[number]': number === undefined ? method() : typed(number),
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
    const answer = (await response.json()) as {
      id: string;
      error?: { message?: string };
      payment_method_preview: { type: string };
    };
    showProblem(answer.error);
    return answer.error ? { error: answer.error } : { confirmationToken: answer };
  },
};

window.addEventListener(
  'message',
  ({ source, data }: MessageEvent<{ fake?: string; id: number; ask: string; value: never }>) => {
    if (source !== window.parent || data.fake !== 'element') return;
    void Promise.resolve(asks[data.ask]?.(data.value)).then((answer) =>
      window.parent.postMessage({ fake: 'element', id: data.id, answer }, '*'),
    );
  },
);
form.addEventListener('input', () => showProblem(undefined));
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('focusin', () => tell('focus', { elementType: 'payment' }));
form.addEventListener('focusout', () => tell('blur', { elementType: 'payment' }));
tell('loaded');
