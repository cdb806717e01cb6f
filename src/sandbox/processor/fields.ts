import { html } from 'hono/html';
import {
  extractDigits,
  FIELDS,
  validateField,
  type FieldName,
  type Method,
} from '../card-frame/validation.ts';
import { translations } from '../card-frame/translations.ts';
import type { Html } from './pages/page.ts';
import type { Source } from './records.ts';
import { toBankSource, toCardSource } from './test-numbers.ts';

const messages = translations.en;

/** Submitted field values and their validation errors. */
export interface FormInput {
  readonly method: Method;
  readonly values: Partial<Readonly<Record<FieldName, string>>>;
  readonly errors: Partial<Readonly<Record<FieldName, string>>>;
}

export const EMPTY_INPUT: FormInput = { method: 'card', values: {}, errors: {} };

/** Renders the choice between card and bank account. */
export function renderMethodChoice({ method }: FormInput, isHidden = false): Html {
  const renderOption = (option: Method): Html =>
    html`<div class="method"><input
      type="radio"
      id="method-${option}"
      name="method"
      value="${option}"
      ${option === method ? 'checked' : ''}
    ><label for="method-${option}">${messages[option]}</label></div>`;
  return html`<fieldset ${isHidden ? 'hidden' : ''}><legend>${messages.method}</legend>${renderOption('card')}${renderOption('bank')}</fieldset>`;
}

export function renderCardFields(input: FormInput): Html {
  return html`<div class="fields" id="card">
    <div class="wide"><label for="number">${messages.number}</label>${renderField(
      input,
      'number',
      23,
      'cc-number',
    )}</div>
    <div><label for="expiry">${messages.expiry} <span>${messages.expiryFormat}</span></label>${renderField(
      input,
      'expiry',
      9,
      'cc-exp',
    )}</div>
    <div><label for="cvc">${messages.cvc}</label>${renderField(input, 'cvc', 4, 'cc-csc')}</div>
  </div>`;
}

export function renderBankFields(input: FormInput, isHidden = false): Html {
  return html`<div class="fields" id="bank" ${isHidden ? 'hidden' : ''}>
    <div class="wide"><label for="account">${messages.account}</label>${renderField(input, 'account', 23, 'off')}</div>
    <div class="wide"><label for="routing">${messages.routing}</label>${renderField(input, 'routing', 11, 'off')}</div>
  </div>`;
}

/**
 * Converts a submitted form to a payment source, or to its values and errors if it is invalid. The
 * security code is never included, so it is not shown again.
 */
export function parseFormInput(
  fields: Readonly<Record<string, unknown>>,
  methods: readonly Method[],
): { readonly source: Source } | FormInput {
  const method = methods.find((candidate) => candidate === fields.method) ?? methods[0] ?? 'card';
  const names: readonly FieldName[] = FIELDS[method];
  const getValue = (name: FieldName): string =>
    typeof fields[name] === 'string' ? fields[name] : '';
  const errors = Object.fromEntries(
    names
      .map((name) => [name, validateField(name, getValue(name))] as const)
      .flatMap(([name, error]) => (error ? [[name, messages[error]]] : [])),
  );
  if (Object.keys(errors).length > 0)
    return {
      method,
      errors,
      values: Object.fromEntries(
        names.filter((name) => name !== 'cvc').map((name) => [name, getValue(name).slice(0, 40)]),
      ),
    };
  return {
    source:
      method === 'card'
        ? toCardSource(extractDigits(getValue('number')))
        : toBankSource(extractDigits(getValue('account'))),
  };
}

function renderField(
  { values, errors }: FormInput,
  name: FieldName,
  maxLength: number,
  autocomplete: string,
): Html {
  const error = errors[name];
  return html`<input
    id="${name}"
    name="${name}"
    inputmode="numeric"
    autocomplete="${autocomplete}"
    aria-describedby="${name}-error"
    maxlength="${maxLength}"
    value="${values[name] ?? ''}"
    ${error === undefined ? '' : 'aria-invalid=true'}
  ><p
    id="${name}-error"
    class="error"
    ${error === undefined ? 'hidden' : ''}
  >${error ?? ''}</p>`;
}
