import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { entriesAt, listAt, textAt, valueAt, withValue, type Place } from '../file.ts';
import type { View } from '../view.ts';
import { frequencyWords, isFrequency } from '../words.ts';
import {
  addButton,
  entryActions,
  listProblem,
  textField,
  tickField,
  wordsField,
} from './fields.ts';

const NEW_CURRENCY = { code: '', minimum: '5', maximum: '10000', giftArray: [] };
const USUAL_COSTS = { percent: '2.9', fixed: '0.30' };

/**
 * What can be given: for each currency the suggested gifts, the least and the most, and whether
 * costs are covered.
 */
export function amountsGroup(view: View): TemplateResult {
  const list = `${view.form}.currencies`;
  const ownAmount = `${view.form}.allowCustomAmount`;
  const currencies = listAt(view.draft.file, list);
  return html`
    <fieldset>
      <legend>Amounts</legend>
      <p class="hint">With digits and one dot at most, such as 25 or 0.30. The first currency is chosen beforehand.</p>
      ${listProblem(view, list, 'Currencies')}
      ${currencies.map((_one, index) => currencyGroup(view, `${list}.${index}`, () => (currencies.length > 1 ? entryActions(view, list, index, `currency ${index + 1}`) : nothing)))}
      ${addButton(view, list, 'Add a currency', NEW_CURRENCY, 'code')}
      ${tickField({ label: 'Donors may write an amount of their own', isTicked: valueAt(view.draft.file, ownAmount) !== false, tick: (isTicked) => view.set(ownAmount, isTicked ? undefined : false) })}
    </fieldset>`;
}

function currencyGroup(
  view: View,
  place: Place,
  actions: () => TemplateResult | typeof nothing,
): TemplateResult {
  const { file } = view.draft;
  const costs = `${place}.costs`;
  const hasCosts = valueAt(file, costs) !== undefined;
  return html`
    <fieldset class="group">
      <legend class="unseen">${textAt(file, `${place}.code`) || 'New currency'}</legend>
      <div class="fields thirds">
        ${textField(view, { place: `${place}.code`, label: 'Currency', isHalf: true })}
        ${textField(view, { place: `${place}.minimum`, label: 'Least', isHalf: true, inputMode: 'decimal' })}
        ${textField(view, { place: `${place}.maximum`, label: 'Most', isHalf: true, inputMode: 'decimal' })}
      </div>
      ${giftArray(view, `${place}.giftArray`, 'Suggested gifts')}
      ${ownArrays(view, place)}
      ${tickField({ label: 'Donors may add what the payment costs', isTicked: hasCosts, tick: (isTicked) => view.set(costs, isTicked ? USUAL_COSTS : undefined) })}
      ${
        hasCosts
          ? html`<div class="fields">
        ${textField(view, { place: `${costs}.percent`, label: 'Percent of the total', isHalf: true, inputMode: 'decimal' })}
        ${textField(view, { place: `${costs}.fixed`, label: 'And for each payment', isHalf: true, inputMode: 'decimal' })}
      </div>`
          : nothing
      }
      ${actions()}
    </fieldset>`;
}

/** The lists of single frequencies, which take the place of the other one there. */
function ownArrays(view: View, place: Place): TemplateResult {
  const { file } = view.draft;
  const offered = listAt(file, `${view.form}.frequencies`).filter(isFrequency);
  const own = entriesAt(file, `${place}.giftArrays`)
    .map(([name]) => name)
    .filter(isFrequency);
  const remove = (frequency: string): void => {
    const left = own.filter((one) => one !== frequency);
    view.set(
      left.length > 0 ? `${place}.giftArrays.${frequency}` : `${place}.giftArrays`,
      undefined,
    );
  };
  return html`
    ${own.map(
      (frequency) => html`<div class="own">
      ${giftArray(view, `${place}.giftArrays.${frequency}`, `Suggested gifts, ${frequencyWords(frequency).toLowerCase()}`)}
      <button class="quiet" type="button" aria-label="Take the gifts above instead, ${frequencyWords(frequency).toLowerCase()}" @click=${() => remove(frequency)}>Take the gifts above instead</button>
    </div>`,
    )}
    ${
      offered.length < 2
        ? nothing
        : html`<div class="entry-actions"><p class="hint">Suggest other gifts for</p>${offered
            .filter((frequency) => !own.includes(frequency))
            .map(
              (frequency) => html`
      <button class="quiet" type="button" aria-label="${frequencyWords(frequency)}: suggest other gifts" @click=${() => view.add(`${place}.giftArrays.${frequency}`, { value: '' }, 'value')}>${frequencyWords(frequency)}</button>`,
            )}</div>`
    }`;
}

function giftArray(view: View, list: Place, title: string): TemplateResult {
  const { file } = view.draft;
  const gifts = listAt(file, list);
  const choose = (chosen: number): void =>
    view.set(
      list,
      gifts.map((gift, index) => withValue(gift, 'isDefault', index === chosen ? true : undefined)),
    );
  return html`
    <fieldset class="entries">
      <legend>${title}</legend>
      ${listProblem(view, list, title)}
      ${gifts.map(
        (_gift, index) => html`
        <fieldset class="entry">
          <legend class="unseen">Gift ${index + 1}</legend>
          <div class="fields gift">
            ${textField(view, { place: `${list}.${index}.value`, label: 'Amount', isHalf: true, inputMode: 'decimal' })}
            ${wordsField(view, { place: `${list}.${index}.description`, label: 'What it does', isHalf: true, isOptional: true })}
          </div>
          <div class="entry-foot">
            <label class="tick"><input type="radio" name=${list} .checked=${live(valueAt(file, `${list}.${index}.isDefault`) === true)} @change=${() => choose(index)}><span>Chosen beforehand</span></label>
            ${entryActions(view, list, index, `gift ${index + 1}`)}
          </div>
        </fieldset>`,
      )}
      ${addButton(view, list, 'Add a gift', { value: '' }, 'value')}
    </fieldset>`;
}
