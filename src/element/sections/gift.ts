import { html, nothing, type TemplateResult } from 'lit';
import { currencySign } from '../../model/money.ts';
import { costsOf, projectOf } from '../../form/state.ts';
import type { View } from '../view.ts';
import { fieldProblem } from './field-problem.ts';

export function frequencySection({ texts, offer: { definition }, state }: View): TemplateResult | typeof nothing {
  if (definition.frequencies.length < 2) return nothing;
  return html`
    <fieldset part="frequency">
      <legend>${texts.frequency}</legend>
      <div class="segments">
        ${definition.frequencies.map((frequency) => html`
          <label class="choice"><input class="native" type="radio" name="frequency" .value=${frequency} .checked=${state.frequency === frequency}><span class="face">${texts.frequencies[frequency]}</span></label>`)}
      </div>
    </fieldset>`;
}

export function amountSection(view: View): TemplateResult {
  const { texts, offer: { definition, settings: { giftArray, currency } }, state, money } = view;
  const { isInvalid, describedBy, message } = fieldProblem(view, 'amount');
  return html`
    <fieldset part="amount" aria-describedby=${describedBy}>
      <legend>${texts.amount}</legend>
      <div class="tiles">
        ${giftArray.map(({ value, displayValue, description }, index) => html`
          <label class="choice"><input class="native" type="radio" name="amount" .value=${String(index)} .checked=${state.choice === index}><span class="face"><span class="money">${displayValue ?? money(value)}</span>${description ? html`<span class="hint">${description}</span>` : nothing}</span></label>`)}
        ${definition.acceptsCustomAmount ? html`
        <div class="choice own">
          <input class="native" type="radio" name="amount" id="own-choice" value="custom" .checked=${state.choice === 'custom'}>
          <div class="face">
            <span class="money"><span aria-hidden="true">${currencySign(currency.code)}</span><input type="text" name="customAmount" id="amount-control" inputmode="decimal" autocomplete="off" maxlength="20" aria-label=${texts.amountIn(currency.code)}
              aria-invalid=${isInvalid ? 'true' : nothing} aria-describedby=${describedBy} .value=${state.customAmount}></span>
            <label class="hint" for="own-choice">${texts.otherAmount}</label>
          </div>
        </div>` : nothing}
      </div>
      ${message}
    </fieldset>`;
}

export function purposeSection({ texts, offer, state }: View): TemplateResult | typeof nothing {
  const { definition: { projects }, settings: { isProjectFixed } } = offer;
  if (isProjectFixed) return html`<p class="purpose" part="purpose"><span class="label">${texts.purpose}</span> <strong>${projectOf(state, offer).name}</strong></p>`;
  if (projects.length < 2) return nothing;
  return html`
    <div part="purpose">
      <label class="title" for="project">${texts.purpose}</label>
      <span class="select"><select id="project" name="project">
        ${projects.map(({ id, name }) => html`<option .value=${id} .selected=${id === state.projectId}>${name}</option>`)}
      </select></span>
    </div>`;
}

export function costsSection({ texts, offer, state, sums, money }: View): TemplateResult | typeof nothing {
  if (!offer.settings.currency.costs) return nothing;
  const costs = sums && costsOf(state, offer);
  return html`
    <div class="check" part="costs">
      <label for="cover-costs"><input type="checkbox" id="cover-costs" name="coverCosts" aria-describedby="cover-costs-why" .checked=${state.coverCosts}>${texts.coverCosts(costs === undefined ? undefined : money(costs))}</label>
      <p class="hint" id="cover-costs-why">${texts.coverCostsWhy(sums && money(sums.amount), offer.definition.organization.name)}</p>
    </div>`;
}
