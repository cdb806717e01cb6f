import { html, type TemplateResult } from 'lit';
import { isControlChecked } from '@donation-form/core/form-state';
import type { View } from '../form/view-model.ts';
import { focusAfterRender } from './focus-after-render.ts';
import { getOptionalTexts } from './optional-texts.ts';

const EXPANDED = 'frequency.expanded';

/**
 * Returns the rows of more than four frequencies: the first three and a button that shows the
 * others, or all of them in pairs. Returns `undefined` for fewer frequencies.
 */
export function arrangeManyFrequencies(
  view: View,
  choices: readonly TemplateResult[],
): TemplateResult[][] | undefined {
  const { context, state, applyEdits } = view;
  const { frequencies } = context.definition;
  if (choices.length < 5) return undefined;
  if (isControlChecked(state.optionalFields, EXPANDED)) return pairChoices(choices);
  // A selected frequency is always visible.
  const third =
    [state.frequency, context.settings.frequency]
      .map((frequency) => frequencies.indexOf(frequency))
      .find((index) => index > 1) ?? 2;
  const firstHidden = frequencies[third === 2 ? 3 : 2]!;
  const expand = ({ currentTarget }: Event): void => {
    applyEdits({ optionalFields: { [EXPANDED]: ['true'] } });
    void focusAfterRender(currentTarget as Element, `[name=frequency][value=${firstHidden}]`);
  };
  const more = html`<button class="choice" type="button" @click=${expand}>${getOptionalTexts(view).moreFrequencies}</button>`;
  return [choices.slice(0, 2), [choices[third]!, more]];
}

/** Puts an odd choice into the first row. */
function pairChoices(choices: readonly TemplateResult[]): TemplateResult[][] {
  const rows = [];
  for (let start = -(choices.length % 2); start < choices.length; start += 2)
    rows.push(choices.slice(Math.max(start, 0), start + 2));
  return rows;
}
