import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type DonationFrequency, IMPACT_DRAWINGS } from '@donation-form/core/donation';
import { enForm } from '@donation-form/core/i18n';
import {
  type ConfigPath,
  getEntriesAtPath,
  getListAtPath,
  getTextAtPath,
  readConfigValue,
  replaceValueAtPath,
} from '../config-path.ts';
import { isFrequency } from '../labels.ts';
import type { BuilderView } from '../view.ts';
import {
  renderAddButton,
  renderCheckbox,
  renderEntryActions,
  renderListProblem,
  renderSection,
  renderSelect,
  renderTextField,
  renderTranslatedField,
} from './fields.ts';

const NEW_CURRENCY = { code: '', minimum: '5', maximum: '10000', giftArray: [] };
const DECIMAL = { isHalfWidth: true, inputMode: 'decimal' } as const;
const DEFAULT_FEE_COVER = { percent: '2.9', fixed: '0.30' };
const FEE_METHOD_LABELS: Readonly<Record<string, string>> = {
  card: 'Card',
  bank: 'Bank account',
  wallet: 'Wallet',
};

export function renderAmounts(view: BuilderView): TemplateResult {
  const { configuration } = view.draft;
  const list = `${view.form}.currencies`;
  const customAmount = `${view.form}.allowCustomAmount`;
  const currencies = getListAtPath(configuration, list);
  return renderSection(
    view,
    'Amounts',
    () => html`
      <p class="hint">Use digits and at most one decimal point, such as 25 or 0.30. The first
        currency is preselected.</p>
      ${renderListProblem(view, list, 'Currencies')}
      ${currencies.map((_currency, index) => renderCurrency(view, list, index, currencies.length))}
      ${renderAddButton(view, list, 'Add currency', NEW_CURRENCY, 'code')}
      ${renderCheckbox(
        'Donors can enter another amount',
        readConfigValue(configuration, customAmount) !== false,
        (isChecked) => view.setValue(customAmount, isChecked ? undefined : false),
      )}
    `,
  );
}

function renderCurrency(
  view: BuilderView,
  list: ConfigPath,
  index: number,
  count: number,
): TemplateResult {
  const path = `${list}.${index}`;
  return html`
    <fieldset class="group">
      <legend class="visually-hidden">${
        getTextAtPath(view.draft.configuration, `${path}.code`) || 'New currency'
      }</legend>
      <div class="fields thirds">
        ${renderTextField(view, `${path}.code`, 'Currency', { isHalfWidth: true })}
        ${renderTextField(view, `${path}.minimum`, 'Minimum', DECIMAL)}
        ${renderTextField(view, `${path}.maximum`, 'Maximum', DECIMAL)}
      </div>
      ${renderGiftArray(view, `${path}.giftArray`, 'Suggested amounts')}
      ${renderFrequencyGiftArrays(view, path)} ${renderFeeCover(view, `${path}.feeCover`)}
      ${count > 1 ? renderEntryActions(view, list, index, `currency ${index + 1}`) : nothing}
    </fieldset>`;
}

function renderFeeCover(view: BuilderView, path: ConfigPath): TemplateResult {
  const hasFeeCover = readConfigValue(view.draft.configuration, path) !== undefined;
  const fields = html`${renderFeeRate(view, path)} ${renderMethodFeeRates(view, `${path}.methods`)}`;
  return html`
    ${renderCheckbox('Donors can cover the transaction fees', hasFeeCover, (isChecked) =>
      view.setValue(path, isChecked ? DEFAULT_FEE_COVER : undefined),
    )}
    ${hasFeeCover ? fields : nothing}`;
}

function renderFeeRate(view: BuilderView, path: ConfigPath): TemplateResult {
  return html`<div class="fields thirds">
    ${renderTextField(view, `${path}.percent`, 'Percentage of the total', DECIMAL)}
    ${renderTextField(view, `${path}.fixed`, 'Fixed fee per payment', DECIMAL)}
    ${renderTextField(view, `${path}.maximum`, 'Maximum fee', { ...DECIMAL, isOptional: true })}
  </div>`;
}

/** Renders the fields for fees that override the general fee for individual payment methods. */
function renderMethodFeeRates(view: BuilderView, list: ConfigPath): TemplateResult {
  const customized = getEntriesAtPath(view.draft.configuration, list).map(([method]) => method);
  const remove = (method: string): void => {
    const isLast = customized.every((other) => other === method);
    view.setValue(isLast ? list : `${list}.${method}`, undefined);
  };
  return html`
    ${customized.map((method) => {
      const label = FEE_METHOD_LABELS[method] ?? method;
      return html`<fieldset class="override">
        <legend>Fee, ${label.toLowerCase()}</legend>
        ${renderFeeRate(view, `${list}.${method}`)}
        <button type="button" aria-label="Use the fee above, ${label.toLowerCase()}"
          @click=${() => remove(method)}>Use the fee above</button>
      </fieldset>`;
    })}
    <div class="entry-actions">
      <p class="hint">Set a different fee for</p>
      ${Object.entries(FEE_METHOD_LABELS)
        .filter(([method]) => !customized.includes(method))
        .map(
          ([method, label]) => html`<button type="button"
            aria-label="${label}: set a different fee"
            @click=${() => view.setValue(`${list}.${method}`, { percent: '0', fixed: '0' })}
          >${label}</button>`,
        )}
    </div>`;
}

/** Renders the fields for suggested amounts that override the general ones for a frequency. */
function renderFrequencyGiftArrays(view: BuilderView, currency: ConfigPath): TemplateResult {
  const { configuration } = view.draft;
  const list = `${currency}.giftArrays`;
  const offered = getListAtPath(configuration, `${view.form}.frequencies`).filter(isFrequency);
  const customized = getEntriesAtPath(configuration, list)
    .map(([name]) => name)
    .filter(isFrequency);
  const addable = offered.filter((frequency) => !customized.includes(frequency));
  const remove = (frequency: DonationFrequency): void => {
    const isLast = customized.every((other) => other === frequency);
    view.setValue(isLast ? list : `${list}.${frequency}`, undefined);
  };
  return html`
    ${customized.map((frequency) => {
      const label = enForm.frequencies[frequency].toLowerCase();
      return html`<div class="override">
        ${renderGiftArray(view, `${list}.${frequency}`, `Suggested amounts, ${label}`)}
        <button type="button" aria-label="Use the amounts above, ${label}"
          @click=${() => remove(frequency)}>Use the amounts above</button>
      </div>`;
    })}
    ${
      offered.length < 2
        ? nothing
        : html`<div class="entry-actions">
          <p class="hint">Suggest other amounts for</p>
          ${addable.map((frequency) => renderOverrideButton(view, `${list}.${frequency}`, frequency))}
        </div>`
    }`;
}

function renderOverrideButton(
  view: BuilderView,
  list: ConfigPath,
  frequency: DonationFrequency,
): TemplateResult {
  const label = enForm.frequencies[frequency];
  return html`<button type="button" aria-label="${label}: suggest other amounts"
    @click=${() => view.addEntry(list, { value: '' }, 'value')}>${label}</button>`;
}

function renderGiftArray(view: BuilderView, list: ConfigPath, title: string): TemplateResult {
  const { configuration } = view.draft;
  const gifts = getListAtPath(configuration, list);
  const preselect = (selected: number): void =>
    view.setValue(
      list,
      gifts.map((gift, index) =>
        replaceValueAtPath(gift, 'isDefault', index === selected ? true : undefined),
      ),
    );
  const renderGift = (index: number): TemplateResult => {
    const path = `${list}.${index}`;
    const isDefault = readConfigValue(configuration, `${path}.isDefault`) === true;
    return html`
      <fieldset class="entry">
        <legend class="visually-hidden">Amount ${index + 1}</legend>
        <div class="fields gift">
          ${renderTextField(view, `${path}.value`, 'Amount', DECIMAL)}
          ${renderTranslatedField(view, `${path}.description`, 'Impact', {
            isHalfWidth: true,
            isOptional: true,
          })}
          ${renderSelect(`${path}.drawing`, 'Drawing', {
            selected: getTextAtPath(configuration, `${path}.drawing`) || IMPACT_DRAWINGS[0],
            options: IMPACT_DRAWINGS.map((name) => [name, name]),
            onSelect: (name) =>
              view.setValue(`${path}.drawing`, name === IMPACT_DRAWINGS[0] ? undefined : name),
          })}
        </div>
        <div class="entry-foot">
          <label class="choice"><input type="radio" name=${list} .checked=${live(isDefault)}
            @change=${() => preselect(index)}><span>Preselected</span></label>
          ${renderEntryActions(view, list, index, `amount ${index + 1}`)}
        </div>
      </fieldset>`;
  };
  return html`
    <fieldset class="entries">
      <legend>${title}</legend>
      ${renderListProblem(view, list, title)} ${gifts.map((_gift, index) => renderGift(index))}
      ${renderAddButton(view, list, 'Add amount', { value: '' }, 'value')}
    </fieldset>`;
}
