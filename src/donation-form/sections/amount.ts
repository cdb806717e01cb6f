import { html, nothing, type TemplateResult } from 'lit';
import { getSelectedProject } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import { splitCurrencySigns } from '@donation-form/core/money';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { View } from '../form/view-model.ts';
import { getErrorBindings } from './field-error.ts';

/** What many frequencies and several currencies need, from `optional-sections.ts`. */
interface OptionalParts {
  readonly arrangeManyFrequencies: (
    view: View,
    choices: readonly TemplateResult[],
  ) => TemplateResult[][] | undefined;
  readonly renderCurrency: (view: View) => TemplateResult | typeof nothing;
}

export function renderFrequency(
  view: View,
  optionalSections: OptionalParts | undefined,
): TemplateResult | typeof nothing {
  const { texts, context, state } = view;
  const { frequencies } = context.definition;
  if (frequencies.length < 2) return nothing;
  const choices = frequencies.map(
    (frequency) => html`
          <label class="choice"><input
            class="native"
            type="radio"
            name="frequency"
            .value=${frequency}
            .checked=${state.frequency === frequency}
          ><span class="face" .textContent=${texts.frequencies[frequency]}></span></label>`,
  );
  return html`
    <fieldset part="frequency">
      <legend class="label">${texts.frequency}</legend>
      ${renderSegments(choices, optionalSections?.arrangeManyFrequencies(view, choices))}
    </fieldset>`;
}

/** Renders choices in one row if they fit, or else in two. */
export function renderSegments(
  choices: readonly TemplateResult[],
  rows = [choices.slice(0, choices.length / 2), choices.slice(choices.length / 2)],
): TemplateResult {
  return html`<div class="segments">${rows.map((row) => html`<div>${row}</div>`)}</div>`;
}

export function renderAmount(
  view: View,
  optionalSections: OptionalParts | undefined,
): TemplateResult {
  const { texts, context, state, formatMoney } = view;
  const { definition, settings } = context;
  const { currency } = settings;
  const { giftArray } = getSuggestedAmounts(settings, state.frequency);
  const labels = giftArray.map(({ value, displayValue }) => displayValue ?? formatMoney(value));
  // A property, since a page's Content Security Policy can forbid style attributes.
  const longestLabel = Math.max(6, ...labels.map(({ length }) => length));
  const tilesStyle = `--characters: ${longestLabel}` as unknown as CSSStyleDeclaration;
  const { isInvalid, describedBy, message } = getErrorBindings(view, 'amount');
  return html`
    <fieldset part="amount" aria-describedby=${describedBy}>
      <legend>${texts.amount}</legend>
      ${optionalSections?.renderCurrency(view)}
      <div class="tiles" .style=${tilesStyle}>
        ${giftArray.map(
          ({ description }, index) => html`
          <label class="choice"><input
            class="native"
            type="radio"
            name="amount"
            .value=${String(index)}
            .checked=${state.amountChoice === index}
          ><span class="face"><span class="money" translate="no" .textContent=${labels[index]!}></span>${
            description
              ? html`<span class="visually-hidden" .textContent=${description}></span>`
              : nothing
          }</span></label>`,
        )}
        ${
          definition.allowCustomAmount
            ? html`
        <div class="choice custom-amount">
          <input
            class="native"
            type="radio"
            name="amount"
            id="custom-amount-choice"
            value="custom"
            .checked=${state.amountChoice === 'custom'}
          >
          <div class="face">
            <span class="money">${renderCurrencySigns(
              formatMoney,
              html`<input
              type="text"
              name="customAmount"
              id="amount-control"
              inputmode="decimal"
              autocomplete="off"
              maxlength="20"
              placeholder=${texts.otherAmount}
              aria-label=${fillPlaceholders(texts.otherAmountIn, { currency: currency.code })}
              aria-invalid=${isInvalid}
              aria-describedby=${describedBy}
              .value=${state.customAmount}
            ><label class="visually-hidden" for="custom-amount-choice">${texts.otherAmount}</label>`,
            )}</span>
          </div>
        </div>`
            : nothing
        }
      </div>
      ${
        giftArray.some(({ description }) => description)
          ? html`<div class="impact" aria-hidden="true">${view.illustrations?.renderImpactDrawing(
              view,
            )}${giftArray.map(
              ({ description }, index) =>
                html`<bdi class=${state.amountChoice === index ? 'selected' : ''} .textContent=${description ?? ''}></bdi>`,
            )}</div>`
          : nothing
      }
      ${message}
    </fieldset>`;
}

/** Shows the currency sign on the same side as in the form's other amounts. */
export function renderCurrencySigns(
  formatMoney: View['formatMoney'],
  input: TemplateResult,
): TemplateResult {
  const [prefix, suffix] = splitCurrencySigns(formatMoney(0));
  return html`<span aria-hidden="true" translate="no" .textContent=${prefix!}></span>${input}<span aria-hidden="true" translate="no" .textContent=${suffix!}></span>`;
}

export const MAX_PROJECTS_WITHOUT_SEARCH = 5;

/**
 * Renders the project list, or the name of a fixed project. Renders nothing for a single project
 * that is not fixed.
 */
export function renderProjectField(view: View): TemplateResult | typeof nothing {
  const { texts, context, state } = view;
  const { projects } = context.definition;
  if (context.settings.isProjectFixed)
    return html`<p class="fixed-project" part="project"><span class="label">${texts.purpose}</span> <strong><bdi .textContent=${
      getSelectedProject(state, context).name
    }></bdi></strong></p>`;
  if (projects.length < 2) return nothing;
  return html`
    <div part="project">
      <label class="label title" for="project">${texts.purpose}</label>
      <span class="select"><select
        id="project"
        name="project"
        autocomplete="off"
      >
        ${projects.map(
          ({ id, name }) =>
            html`<option .value=${id} .selected=${id === state.projectId} .textContent=${name}></option>`,
        )}
      </select></span>
    </div>`;
}
