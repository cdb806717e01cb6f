import { html, nothing, type TemplateResult } from 'lit';
import { currencySign } from '@donation-form/core/money';
import { costsOf, projectOf } from '../state/form-state.ts';
import { suggestedFor } from '@donation-form/core/settings';
import { fill } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';

export function frequencySection({
  texts,
  context: { definition },
  state,
}: View): TemplateResult | typeof nothing {
  if (definition.frequencies.length < 2) return nothing;
  return html`
    <fieldset part="frequency">
      <legend>${texts.frequency}</legend>
      <div class="segments ${definition.frequencies.length > 4 ? 'many' : ''}">
        ${definition.frequencies.map(
          (frequency) => html`
          <label class="choice"><input class="native" type="radio" name="frequency" .value=${frequency} .checked=${state.frequency === frequency}><span class="face">${texts.frequencies[frequency]}</span></label>`,
        )}
      </div>
    </fieldset>`;
}

export function amountSection(view: View): TemplateResult {
  const {
    texts,
    context: { definition, settings },
    state,
    formatMoney,
  } = view;
  const { currency } = settings;
  const { isInvalid, describedBy, message } = fieldProblem(view, 'amount');
  return html`
    <fieldset part="amount" aria-describedby=${describedBy}>
      <legend>${texts.amount}</legend>
      ${
        definition.currencies.length < 2
          ? nothing
          : html`
        <p class="currency"><label for="currency">${texts.currency}</label> <span class="select"><select id="currency" name="currency" autocomplete="off">
          ${definition.currencies.map(({ code }) => html`<option .value=${code} .selected=${code === currency.code}>${code}</option>`)}
        </select></span></p>`
      }
      <div class="tiles">
        ${suggestedFor(settings, state.frequency).giftArray.map(
          ({ value, displayValue, description }, index) => html`
          <label class="choice"><input class="native" type="radio" name="amount" .value=${String(index)} .checked=${state.choice === index}><span class="face"><span class="money">${displayValue ?? formatMoney(value)}</span>${description ? html`<bdi class="hint">${description}</bdi>` : nothing}</span></label>`,
        )}
        ${
          definition.allowCustomAmount
            ? html`
        <div class="choice own">
          <input class="native" type="radio" name="amount" id="own-choice" value="custom" .checked=${state.choice === 'custom'}>
          <div class="face">
            <span class="money"><span aria-hidden="true">${currencySign(currency.code)}</span><input type="text" name="customAmount" id="amount-control" inputmode="decimal" autocomplete="off" maxlength="20" aria-label=${fill(texts.amountIn, { currency: currency.code })}
              aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${state.customAmount}></span>
            <label class="hint" for="own-choice">${texts.otherAmount}</label>
          </div>
        </div>`
            : nothing
        }
      </div>
      ${message}
    </fieldset>`;
}

/** How many projects stand in a list without a search. */
export const FEW_PROJECTS = 8;

export function purposeSection({ texts, context, state }: View): TemplateResult | typeof nothing {
  const {
    definition: { projects },
    settings: { isProjectFixed },
  } = context;
  if (isProjectFixed)
    return html`<p class="purpose" part="purpose"><span class="label">${texts.purpose}</span> <strong><bdi>${projectOf(state, context).name}</bdi></strong></p>`;
  if (projects.length < 2) return nothing;
  return html`
    <div part="purpose">
      <label class="title" for="project">${texts.purpose}</label>
      <span class="select"><select id="project" name="project">
        ${projects.map(({ id, name }) => html`<option .value=${id} .selected=${id === state.projectId}>${name}</option>`)}
      </select></span>
    </div>`;
}

export function costsSection({
  texts,
  context,
  state,
  sums,
  formatMoney,
}: View): TemplateResult | typeof nothing {
  if (!context.settings.currency.costs) return nothing;
  const costs = sums && costsOf(state, context);
  return html`
    <div class="check" part="costs">
      <label for="cover-costs"><input type="checkbox" id="cover-costs" name="coverCosts" aria-describedby="cover-costs-why" .checked=${state.coverCosts}>${costs === undefined ? texts.coverCostsUnknown : fill(texts.coverCosts, { costs: formatMoney(costs) })}</label>
      <p class="hint" id="cover-costs-why">${fill(sums ? texts.coverCostsWhy : texts.coverCostsWhyUnknown, { amount: sums && formatMoney(sums.amount), organization: context.definition.organization.name })}</p>
    </div>`;
}
