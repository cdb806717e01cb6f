import { html } from 'hono/html';
import { translations } from '../browser/translations.ts';
import { type FieldName, FIELDS, normalizeField, validateField } from '../browser/validation.ts';
import type { Html } from './layout.ts';

const messages = translations.en;

/** Submitted values with their error messages. */
export interface FormInput {
  readonly values: Partial<Readonly<Record<FieldName, string>>>;
  readonly errors: Partial<Readonly<Record<FieldName, string>>>;
}

export const EMPTY_INPUT: FormInput = { values: {}, errors: {} };

export function renderCardFields(input: FormInput): Html {
  return html`<div class="fields">
    ${renderField('number', messages.number, { input, autocomplete: 'cc-number', maxLength: 23, isWide: true })}
    ${renderField('expiry', messages.expiry, {
      input,
      autocomplete: 'cc-exp',
      maxLength: 9,
      placeholder: messages.expiryFormat,
    })}
    ${renderField('cvc', messages.cvc, { input, autocomplete: 'cc-csc', maxLength: 4 })}
  </div>`;
}

/** Renders a field with its label and error message. */
export function renderField(
  name: FieldName,
  label: string,
  {
    input = EMPTY_INPUT,
    autocomplete,
    maxLength,
    placeholder = ' ',
    isWide = false,
    isHidden = false,
  }: {
    readonly input?: FormInput;
    readonly autocomplete: string;
    readonly maxLength: number;
    readonly placeholder?: string;
    readonly isWide?: boolean;
    readonly isHidden?: boolean;
  },
): Html {
  const error = input.errors[name];
  return html`<div data-field="${name}" class="${isWide ? 'wide' : ''}" ${isHidden ? 'hidden' : ''}><label for="${name}">${label} </label><input
    id="${name}"
    name="${name}"
    inputmode="${name === 'iban' ? 'text' : 'numeric'}"
    autocomplete="${autocomplete}"
    aria-describedby="${name}-error"
    maxlength="${maxLength}"
    placeholder="${placeholder}"
    value="${input.values[name] ?? ''}"
    ${error === undefined ? '' : 'aria-invalid=true'}
  ><p
    id="${name}-error"
    class="error"
    ${error === undefined ? 'hidden' : ''}
  >${error ?? ''}</p></div>`;
}

/**
 * Parses a submitted card. Never returns the security code, because the pages must never show the
 * code again.
 * @returns the card's number or, if the form is invalid, its values and error messages.
 */
export function parseCard(
  fields: Readonly<Record<string, string>>,
): { readonly number: string } | FormInput {
  const names = FIELDS.card!;
  const errors = Object.fromEntries(
    names.flatMap((name) => {
      const problem = validateField(name, fields[name] ?? '');
      return problem ? [[name, messages[problem.message]]] : [];
    }),
  );
  if (Object.keys(errors).length === 0)
    return { number: normalizeField('number', fields.number ?? '') };
  return {
    errors,
    values: Object.fromEntries(
      names
        .filter((name) => name !== 'cvc')
        .map((name) => [name, (fields[name] ?? '').slice(0, 40)]),
    ),
  };
}
