import { html, nothing, type TemplateResult } from 'lit';
import { GIFT_FREQUENCIES } from '@donation-form/core/donation';
import { listAt } from '../file.ts';
import type { View } from '../view.ts';
import { frequencyWords, isFrequency } from '../words.ts';
import { listProblem, selectField, textField, tickField } from './fields.ts';

/** The form's name, and how often gifts may be given. */
export function frequencyGroup(view: View): TemplateResult {
  const place = `${view.form}.frequencies`;
  const offered = listAt(view.draft.file, place).filter(isFrequency);
  const [first] = offered;
  return html`
    <fieldset>
      <legend>Form</legend>
      <div class="fields">${textField(view, { place: `${view.form}.id`, label: 'Short name of the form', hint: 'Your pages name it: form-id of the snippet' })}</div>
    </fieldset>
    <fieldset>
      <legend>How often</legend>
      ${listProblem(view, place, 'How often')}
      <div class="ticks">${GIFT_FREQUENCIES.map((frequency) =>
        tickField({
          label: frequencyWords(frequency),
          isTicked: offered.includes(frequency),
          tick: (isTicked) =>
            view.set(
              place,
              isTicked
                ? [
                    ...offered.slice(0, 1),
                    ...GIFT_FREQUENCIES.filter(
                      (one) => one === frequency || offered.includes(one),
                    ).filter((one) => one !== first),
                  ]
                : offered.filter((one) => one !== frequency),
            ),
        }),
      )}</div>
      ${
        offered.length < 2
          ? nothing
          : html`<div class="fields">${selectField({
              id: `${place}-first`,
              label: 'Chosen beforehand',
              chosen: first ?? '',
              options: offered.map((frequency) => [frequency, frequencyWords(frequency)]),
              choose: (chosen) =>
                view.set(place, [chosen, ...offered.filter((one) => one !== chosen)]),
            })}</div>`
      }
    </fieldset>`;
}
