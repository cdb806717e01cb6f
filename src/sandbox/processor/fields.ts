import { html } from 'hono/html';
import { digitsOf, FIELDS, problemOf, type FieldName, type Way } from '../card-frame/checks.ts';
import { words } from '../card-frame/words.ts';
import type { Html } from './pages/page.ts';
import type { Source } from './records.ts';
import { bankSource, cardSource } from './test-numbers.ts';

const said = words.en;

/** What was written into the fields, and what is wrong with it. */
export interface Filled {
  readonly way: Way;
  readonly values: Partial<Readonly<Record<FieldName, string>>>;
  readonly problems: Partial<Readonly<Record<FieldName, string>>>;
}

export const EMPTY: Filled = { way: 'card', values: {}, problems: {} };

/** The choice between a card and a bank account. */
export function wayFields({ way }: Filled, isHidden = false): Html {
  const option = (one: Way): Html =>
    html`<div class="way"><input type="radio" id="way-${one}" name="way" value="${one}" ${one === way ? 'checked' : ''}><label for="way-${one}">${said[one]}</label></div>`;
  return html`<fieldset ${isHidden ? 'hidden' : ''}><legend>${said.ways}</legend>${option('card')}${option('bank')}</fieldset>`;
}

export function cardFields(filled: Filled): Html {
  return html`<div class="fields" id="card">
    <div class="wide"><label for="number">${said.number}</label>${field(filled, 'number', 23, 'cc-number')}</div>
    <div><label for="expiry">${said.expiry} <span>${said.expiryForm}</span></label>${field(filled, 'expiry', 9, 'cc-exp')}</div>
    <div><label for="cvc">${said.cvc}</label>${field(filled, 'cvc', 4, 'cc-csc')}</div>
  </div>`;
}

export function bankFields(filled: Filled, isHidden = false): Html {
  return html`<div class="fields" id="bank" ${isHidden ? 'hidden' : ''}>
    <div class="wide"><label for="account">${said.account}</label>${field(filled, 'account', 23, 'off')}</div>
    <div class="wide"><label for="routing">${said.routing}</label>${field(filled, 'routing', 11, 'off')}</div>
  </div>`;
}

/**
 * What the fields of a sent form stand for, or what is wrong with them. The security code is not
 * shown again.
 */
export function readFilled(
  sent: Readonly<Record<string, unknown>>,
  ways: readonly Way[],
): { readonly source: Source } | Filled {
  const way = ways.find((one) => one === sent.way) ?? ways[0] ?? 'card';
  const names: readonly FieldName[] = FIELDS[way];
  const written = (name: FieldName): string => (typeof sent[name] === 'string' ? sent[name] : '');
  const problems = Object.fromEntries(
    names
      .map((name) => [name, problemOf(name, written(name))] as const)
      .flatMap(([name, problem]) => (problem ? [[name, said[problem]]] : [])),
  );
  if (Object.keys(problems).length > 0)
    return {
      way,
      problems,
      values: Object.fromEntries(
        names.filter((name) => name !== 'cvc').map((name) => [name, written(name).slice(0, 40)]),
      ),
    };
  return {
    source:
      way === 'card'
        ? cardSource(digitsOf(written('number')))
        : bankSource(digitsOf(written('account'))),
  };
}

function field(
  { values, problems }: Filled,
  name: FieldName,
  longest: number,
  autocomplete: string,
): Html {
  const problem = problems[name];
  return html`<input id="${name}" name="${name}" inputmode="numeric" autocomplete="${autocomplete}" aria-describedby="${name}-error" maxlength="${longest}" value="${values[name] ?? ''}" ${problem === undefined ? '' : 'aria-invalid=true'}><p id="${name}-error" class="error" ${problem === undefined ? 'hidden' : ''}>${problem ?? ''}</p>`;
}
