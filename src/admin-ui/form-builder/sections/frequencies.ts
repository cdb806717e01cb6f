import { html, nothing, type TemplateResult } from 'lit';
import { DONATION_FREQUENCIES, type DonationFrequency } from '@donation-form/core/donation';
import { enForm } from '@donation-form/core/i18n';
import { getListAtPath } from '../config-path.ts';
import { isFrequency } from '../labels.ts';
import type { BuilderView } from '../view.ts';
import {
  renderCheckbox,
  renderListProblem,
  renderSection,
  renderSelect,
  renderTextField,
  renderTranslatedField,
} from './fields.ts';

export function renderFrequencies(view: BuilderView): TemplateResult {
  const path = `${view.form}.frequencies`;
  const offered = getListAtPath(view.draft.configuration, path).filter(isFrequency);
  const renderFields = (): TemplateResult => html`
    <div class="fields">
      ${renderTextField(view, `${view.form}.id`, 'Form ID', {
        hint: 'Appears in the snippet as form-id',
      })}
      ${renderTranslatedField(view, `${view.form}.name`, 'Form name', {
        hint: 'Shown to your staff, and to donors without JavaScript',
        isOptional: true,
      })}
    </div>
    <fieldset class="frequencies">
      <legend>Frequencies</legend>
      ${renderListProblem(view, path, 'Frequencies')}
      <div class="checkboxes">
        ${DONATION_FREQUENCIES.map((frequency) =>
          renderCheckbox(enForm.frequencies[frequency], offered.includes(frequency), (isChecked) =>
            view.setValue(path, toggleFrequency(offered, frequency, isChecked)),
          ),
        )}
      </div>
      ${offered.length < 2 ? nothing : renderPreselectedFrequency(view, path, offered)}
    </fieldset>`;
  return renderSection(view, 'Form and frequencies', renderFields);
}

/** Adds or removes a frequency. Keeps the preselected frequency first. */
function toggleFrequency(
  offered: readonly DonationFrequency[],
  frequency: DonationFrequency,
  isOffered: boolean,
): DonationFrequency[] {
  if (!isOffered) return offered.filter((other) => other !== frequency);
  const [first] = offered;
  const others = DONATION_FREQUENCIES.filter(
    (other) => other !== first && (other === frequency || offered.includes(other)),
  );
  return first === undefined ? others : [first, ...others];
}

function renderPreselectedFrequency(
  view: BuilderView,
  path: string,
  offered: readonly DonationFrequency[],
): TemplateResult {
  const select = renderSelect(`${path}-first`, 'Preselected', {
    selected: offered[0] ?? '',
    options: offered.map((frequency) => [frequency, enForm.frequencies[frequency]]),
    onSelect: (selected) =>
      view.setValue(path, [selected, ...offered.filter((other) => other !== selected)]),
  });
  return html`<div class="fields">${select}</div>`;
}
