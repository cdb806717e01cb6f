import { html, nothing, type TemplateResult } from 'lit';
import { enForm } from '@donation-form/core/i18n';
import { FIELD_LABELS, LINKED_DONOR_FIELDS, SOURCE_FIELDS } from '../link-fields.ts';
import type { LinkView } from '../view.ts';
import { renderLinkSelect, renderLinkTextField } from './fields.ts';

export function renderLinkForm(view: LinkView): TemplateResult {
  return html`
    ${renderPageGroup(view)} ${renderDonationGroup(view)} ${renderSourceGroup(view)}
    ${renderDonorGroup(view)}`;
}

function renderPageGroup(view: LinkView): TemplateResult {
  return html`
    <fieldset>
      <legend>Page</legend>
      ${renderLinkTextField(view, 'page', 'Page URL', {
        hint: 'The page of your website that shows the donation form. The link keeps all parameters of this URL.',
        type: 'url',
        isRequired: true,
        suggestions: view.origins.map((origin) => `${origin}/`),
      })}
    </fieldset>`;
}

function renderDonationGroup(view: LinkView): TemplateResult {
  const { frequencies, currencies, projects } = view.form;
  return html`
    <fieldset>
      <legend>Donation</legend>
      <p class="hint">Empty fields keep the values of the page’s snippet or, without those, the form’s defaults.</p>
      <div class="fields">
        ${renderLinkTextField(view, 'amount', 'Amount', {
          hint: 'For example, 75 or 40.50',
          inputMode: 'decimal',
          isHalfWidth: true,
        })}
        ${renderLinkTextField(view, 'giftArray', 'Suggested amounts', {
          hint: 'For example, 25, 50, 100',
          isHalfWidth: true,
        })}
        ${renderLinkSelect(
          'frequency',
          'Frequency',
          'Not set',
          frequencies.map((frequency) => [frequency, enForm.frequencies[frequency]]),
        )}
        ${renderLinkSelect(
          'currency',
          'Currency',
          'Not set',
          currencies.map(({ code }) => [code, code]),
        )}
        ${renderLinkSelect(
          'project',
          'Project',
          'None: the donor chooses',
          projects.map(({ id, code, name }) => [code ?? id, name]),
        )}
        ${renderProjectChoiceRadios(view)}
      </div>
    </fieldset>`;
}

function renderProjectChoiceRadios({
  fields: { project, projectChoice = 'preselect' },
}: LinkView): TemplateResult | typeof nothing {
  if (project === undefined) return nothing;
  const options = [
    ['preselect', 'Preselected: the donor can change it'],
    ['fixed', 'Fixed: the donor cannot change it'],
  ] as const;
  return html`
    <div class="field" role="radiogroup" aria-label="Can the donor change the project?">
      ${options.map(
        ([value, label]) => html`
        <label class="choice"><input type="radio" name="projectChoice" value=${value}
          .checked=${projectChoice === value}><span>${label}</span></label>`,
      )}
    </div>`;
}

const UTM_HINTS = {
  utmSource: 'utm_source, such as newsletter',
  utmMedium: 'utm_medium, such as email',
  utmCampaign: 'utm_campaign, such as spring',
} as const;

function renderSourceGroup(view: LinkView): TemplateResult {
  const [segment, ...utmFields] = SOURCE_FIELDS;
  return html`
    <fieldset>
      <legend>Tracking</legend>
      <div class="fields">
        ${renderLinkTextField(view, segment, FIELD_LABELS[segment], {
          hint: 'The code that identifies this mailing in your fundraising platform',
        })}
        ${utmFields.map((name) =>
          renderLinkTextField(view, name, FIELD_LABELS[name], {
            hint: UTM_HINTS[name],
            isHalfWidth: name !== 'utmCampaign',
          }),
        )}
      </div>
    </fieldset>`;
}

function renderDonorGroup(view: LinkView): TemplateResult | typeof nothing {
  const { donorFields, allowComment } = view.form;
  const names = LINKED_DONOR_FIELDS.filter((name) =>
    name === 'comment' ? allowComment : donorFields.some((field) => field.name === name),
  );
  if (names.length === 0) return nothing;
  return html`
    <details>
      <summary>Donor details</summary>
      <p class="hint">
        Don’t enter anyone’s data here: mail servers, analytics, and everyone who gets the link can
        read it. Use the merge tags of your mailing tool, such as <code>*|FNAME|*</code>,
        <code>{{first_name}}</code>, or <code>%%EMAIL%%</code>. They remain unchanged in the link.
      </p>
      <div class="fields">
        ${names.map((name) =>
          renderLinkTextField(view, name, FIELD_LABELS[name], {
            isHalfWidth: name === 'firstName' || name === 'lastName',
          }),
        )}
      </div>
    </details>`;
}
