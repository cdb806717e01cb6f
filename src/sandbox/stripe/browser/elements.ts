/**
 * Script of the Payment Element's frame. Typed values never leave the frame, except to the
 * emulator. The embedding page receives only the ID and preview of a confirmation token.
 */
import type { Appearance } from '@stripe/stripe-js';
import { type Messages, resolveLanguage, translations } from './translations.ts';
import {
  type FieldName,
  type FieldProblem,
  FIELDS,
  normalizeField,
  validateField,
} from './validation.ts';
import { isSingleUse, isWallet, WALLET_LABELS, WALLETS } from './wallet-types.ts';

interface StartOptions {
  readonly key: string;
  readonly types: readonly string[];
  readonly currency: string;
  readonly isRecurring: boolean;
  /** Payment method types to show first. */
  readonly order: readonly string[];
  readonly googlePay: boolean;
  /** False for an accordion, which shows even a single method's name. */
  readonly hasTabs: boolean;
  readonly locale?: string;
  readonly direction: 'ltr' | 'rtl';
  readonly appearance?: Appearance;
}

interface TokenOptions {
  readonly billing_details?: object;
  readonly return_url?: string;
  readonly setup_future_usage?: string;
}

interface ElementRequest {
  readonly fake?: string;
  readonly id: number;
  readonly request: string;
  readonly value: never;
}

const form = document.querySelector<HTMLFormElement>('form')!;
const methodsFieldset = form.querySelector<HTMLElement>('#methods')!;
const continuedHint = form.querySelector<HTMLElement>('#continued')!;
const errorElement = form.querySelector<HTMLElement>('[role=alert]')!;
const REQUIRED_CURRENCY: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  bacs_debit: 'gbp',
  au_becs_debit: 'aud',
  ideal: 'eur',
  bancontact: 'eur',
};
/** Names of payment methods, for methods with the same name in every language. */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  google_pay: 'Google Pay',
  sepa_debit: 'SEPA Direct Debit',
  bacs_debit: 'Bacs Direct Debit',
  au_becs_debit: 'BECS Direct Debit',
  link: 'Link',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  ...WALLET_LABELS,
};
let key = '';
let messages: Messages = translations.en;
let pageOrigin: string | undefined;
let wasComplete: boolean | undefined;
let lastMethod: string | undefined;

const postToPage = (message: object): void =>
  window.parent.postMessage({ fake: 'element', ...message }, pageOrigin ?? '*');
const postEvent = (event: string, value?: unknown): void => postToPage({ event, value });
/** The frame keeps its initial height until the form has its methods and appearance. */
const postHeight = (): void => {
  if (key !== '') postEvent('height', form.getBoundingClientRect().height);
};
const getSelectedMethod = (): string => (new FormData(form).get('method') ?? 'card') as string;
const getFieldNames = (): readonly FieldName[] => FIELDS[getSelectedMethod()] ?? [];
const getInput = (name: FieldName): HTMLInputElement => form.querySelector(`#${name}`)!;
const getProblem = (name: FieldName): FieldProblem | undefined =>
  validateField(name, getInput(name).value);

function getMethodLabel(type: string): string {
  if (type === 'card') return messages.card;
  return type === 'us_bank_account' ? messages.bank : (METHOD_NAMES[type] ?? type);
}

/** Shows the selected method's fields, and reports whether all fields are complete. */
function renderFields(): void {
  const method = getSelectedMethod();
  const names = getFieldNames();
  for (const part of form.querySelectorAll<HTMLElement>('[data-field]'))
    part.hidden = !names.includes(part.dataset.field as FieldName);
  continuedHint.hidden = names.length > 0;
  const complete = names.every((name) => !getProblem(name));
  if (complete !== wasComplete || method !== lastMethod)
    postEvent('change', {
      elementType: 'payment',
      collapsed: false,
      complete,
      empty: names.every((name) => getInput(name).value === ''),
      value: { type: method },
    });
  [wasComplete, lastMethod] = [complete, method];
  postHeight();
}

function showFieldProblem(name: FieldName): FieldProblem | undefined {
  const problem = getProblem(name);
  const element = form.querySelector<HTMLElement>(`#${name}-error`)!;
  element.textContent = problem ? messages[problem.message] : '';
  element.hidden = !problem;
  getInput(name).ariaInvalid = String(problem !== undefined);
  return problem;
}

function showError(message: string | undefined): void {
  errorElement.textContent = message ?? '';
  errorElement.hidden = message === undefined;
  renderFields();
}

function applyLanguage(locale: string | undefined, direction: StartOptions['direction']): void {
  const language = resolveLanguage(locale);
  messages = translations[language];
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.title = messages.method;
  form.querySelector('legend')!.textContent = messages.method;
  continuedHint.textContent = messages.continued;
  for (const name of ['number', 'expiry', 'cvc', 'account'] as const)
    form.querySelector(`label[for=${name}]`)!.firstChild!.nodeValue = `${messages[name]} `;
  getInput('expiry').placeholder = messages.expiryFormat;
}

/**
 * Applies the parts of the Appearance API that the form uses
 * (docs.stripe.com/elements/appearance-api).
 */
function applyAppearance({ theme, inputs, variables = {}, rules = {} }: Appearance): void {
  const { style } = document.documentElement;
  form.classList.toggle('condensed', inputs === 'condensed');
  const inputBorder = rules['.Input']?.border ?? '';
  style.colorScheme = theme === 'night' ? 'dark' : 'light';
  for (const [name, value] of Object.entries({
    accent: variables.colorPrimary,
    text: variables.colorText,
    'field-background': variables.colorBackground,
    danger: variables.colorDanger,
    border: /(rgba?\([^()]*\)|#\w+)$/.exec(inputBorder)?.[1],
    radius: variables.borderRadius,
    font: variables.fontFamily,
    size: variables.fontSizeBase,
  }))
    if (value) style.setProperty(`--${name}`, value);
}

function renderMethods(types: readonly string[], hasTabs: boolean): void {
  const previousMethod = getSelectedMethod();
  const selected = types.includes(previousMethod) ? previousMethod : types[0];
  methodsFieldset.querySelector('div')!.replaceChildren(
    ...types.map((type) => {
      const container = document.createElement('div');
      const input = document.createElement('input');
      const label = document.createElement('label');
      const id = `method-${type}`;
      container.className = 'method';
      Object.assign(input, {
        id,
        type: 'radio',
        name: 'method',
        value: type,
        checked: type === selected,
      });
      Object.assign(label, { htmlFor: id, textContent: getMethodLabel(type) });
      container.append(input, label);
      return container;
    }),
  );
  methodsFieldset.hidden = hasTabs && types.length < 2;
  methodsFieldset.classList.toggle('tabs', hasTabs);
}

async function createToken({
  billing_details,
  return_url,
  setup_future_usage,
}: TokenOptions): Promise<object> {
  const method = getSelectedMethod();
  const [numberField] = getFieldNames();
  const fields = new URLSearchParams({
    'payment_method_data[type]': method === 'google_pay' ? 'card' : method,
    'payment_method_data[number]':
      numberField === undefined ? method : normalizeField(numberField, getInput(numberField).value),
  });
  if (return_url !== undefined) fields.set('return_url', return_url);
  if (setup_future_usage !== undefined) fields.set('setup_future_usage', setup_future_usage);
  for (const [name, value] of Object.entries(billing_details ?? {}))
    if (typeof value === 'string' && value !== '')
      fields.set(`payment_method_data[billing_details][${name}]`, value);
  const response = await fetch('v1/confirmation_tokens', {
    method: 'POST',
    body: fields,
    headers: { Authorization: `Bearer ${key}` },
  });
  const token = (await response.json()) as { error?: { message?: string } };
  showError(token.error?.message);
  return token.error ? { error: token.error } : { confirmationToken: token };
}

/**
 * Returns a type's rank in the given order. Types that are missing from the order come last,
 * although Stripe would choose an order for them.
 */
const getRank = (type: string, order: readonly string[]): number =>
  order.includes(type) ? order.indexOf(type) : order.length;

const REQUEST_HANDLERS: Readonly<Record<string, (value: never) => unknown>> = {
  start({
    key: startKey,
    types,
    currency,
    isRecurring,
    order,
    googlePay,
    hasTabs,
    locale,
    direction,
    appearance,
  }: StartOptions) {
    key = startKey;
    applyLanguage(locale, direction);
    applyAppearance(appearance ?? {});
    const shownTypes = types
      .filter((type) =>
        (isWallet(type) ? WALLETS[type][0] : (REQUIRED_CURRENCY[type] ?? currency)).includes(
          currency,
        ),
      )
      .filter((type) => !isRecurring || !isSingleUse(type))
      .sort((one, other) => getRank(one, order) - getRank(other, order));
    if (shownTypes.includes('card') && googlePay) shownTypes.splice(1, 0, 'google_pay');
    renderMethods(shownTypes, hasTabs);
    renderFields();
  },
  focus() {
    const names = getFieldNames();
    const invalid = names.find((name) => getInput(name).ariaInvalid === 'true') ?? names[0];
    const field = invalid
      ? getInput(invalid)
      : form.querySelector<HTMLInputElement>('[name=method]:checked');
    field?.focus();
  },
  submit() {
    const problems = getFieldNames().map(showFieldProblem);
    showError(undefined);
    const problem = problems.find((candidate) => candidate !== undefined);
    return problem
      ? {
          error: {
            type: 'validation_error',
            code: problem.code,
            message: messages[problem.message],
          },
        }
      : { selectedPaymentMethod: getSelectedMethod() };
  },
  token: createToken,
};

function formatField(name: FieldName, text: string): string {
  if (name === 'iban') return text.toUpperCase();
  const digits = normalizeField(name, text);
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ');
  if (name !== 'expiry') return digits;
  return digits.length > 2
    ? `${digits.slice(0, 2)} / ${digits.slice(2, 6)}`
    : text.replace(/[^\d /]/g, '');
}

window.addEventListener('message', ({ source, origin, data }: MessageEvent<ElementRequest>) => {
  if (source !== window.parent || data.fake !== 'element') return;
  if (pageOrigin !== undefined && origin !== pageOrigin) return;
  pageOrigin = origin;
  void Promise.resolve(REQUEST_HANDLERS[data.request]?.(data.value)).then((response) =>
    postToPage({ id: data.id, response }),
  );
});
form.addEventListener('input', ({ target }) => {
  const field = target as HTMLInputElement;
  if (field.name !== 'method') {
    const name = field.name as FieldName;
    if (field.selectionStart === field.value.length) field.value = formatField(name, field.value);
    if (field.ariaInvalid === 'true') showFieldProblem(name);
  }
  showError(undefined);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  postEvent('submit');
});
form.addEventListener('focusin', () => postEvent('focus', { elementType: 'payment' }));
form.addEventListener('focusout', () => postEvent('blur', { elementType: 'payment' }));
new ResizeObserver(postHeight).observe(form);
postEvent('loaded');
