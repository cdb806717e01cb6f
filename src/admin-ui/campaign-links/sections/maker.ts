import { html, nothing, type TemplateResult } from 'lit';
import { en } from '@donation-form/core/i18n';
import { DONOR_ENTRIES, ORIGIN_ENTRIES } from '../entries.ts';
import type { View } from '../view.ts';
import { LABELS } from '../words.ts';
import { selectField, textField } from './fields.ts';

/** The fields of one link. */
export function maker(view: View): TemplateResult {
  return html`${pageGroup(view)}${giftGroup(view)}${originGroup(view)}${donorGroup(view)}`;
}

function pageGroup(view: View): TemplateResult {
  return html`
    <fieldset>
      <legend>Where the form stands</legend>
      ${textField(view, { name: 'page', label: 'Page address', hint: 'The page of your site with the donation form. Parameters in its address stay.', type: 'url', isRequired: true })}
    </fieldset>`;
}

function giftGroup(view: View): TemplateResult {
  const {
    form: { frequencies, currencies, projects },
  } = view;
  return html`
    <fieldset>
      <legend>What it opens with</legend>
      <p class="hint">Whatever is left empty stays as the form has it.</p>
      <div class="fields">
        ${textField(view, { name: 'amount', label: 'Amount', hint: 'Such as 75 or 40.50', inputMode: 'decimal', isHalf: true })}
        ${textField(view, { name: 'giftArray', label: 'Suggested amounts', hint: 'Such as 25, 50, 100', isHalf: true })}
        ${frequencies.length < 2 ? nothing : selectField({ name: 'frequency', label: 'How often', rest: `As the form has it: ${en.frequencies[frequencies[0]].toLowerCase()}`, options: frequencies.map((frequency) => [frequency, en.frequencies[frequency]]) })}
        ${currencies.length < 2 ? nothing : selectField({ name: 'currency', label: 'Currency', rest: `As the form has it: ${currencies[0].code}`, options: currencies.map(({ code }) => [code, code]) })}
        ${projects.length < 2 ? nothing : selectField({ name: 'project', label: 'Project', rest: 'None: the donor chooses', options: projects.map(({ id, code, name }) => [code ?? id, name]) })}
        ${projectChoice(view)}
      </div>
    </fieldset>`;
}

function projectChoice({
  entries: { project, projectChoice = 'preselect' },
}: View): TemplateResult | typeof nothing {
  if (project === undefined) return nothing;
  return html`
    <div class="field radios" role="radiogroup" aria-label="May the donor change the project?">
      ${(
        [
          ['preselect', 'Chosen beforehand: the donor may change it'],
          ['fixed', 'Fixed: the gift is for this project'],
        ] as const
      ).map(
        ([value, words]) => html`
        <label><input type="radio" name="projectChoice" value=${value} .checked=${projectChoice === value}><span>${words}</span></label>`,
      )}
    </div>`;
}

function originGroup(view: View): TemplateResult {
  const [segment, ...utm] = ORIGIN_ENTRIES;
  return html`
    <fieldset>
      <legend>Where the gift comes from</legend>
      <div class="fields">
        ${textField(view, { name: segment, label: LABELS[segment], hint: 'The code by which your fundraising platform tells this mailing from others' })}
        ${utm.map((name) => textField(view, { name, label: LABELS[name], hint: ({ utmSource: 'utm_source, such as newsletter', utmMedium: 'utm_medium, such as email', utmCampaign: 'utm_campaign, such as spring' } as const)[name], isHalf: name !== 'utmCampaign' }))}
      </div>
    </fieldset>`;
}

function donorGroup(view: View): TemplateResult | typeof nothing {
  const { donorFields, allowComment } = view.form;
  const offered = DONOR_ENTRIES.filter((name) =>
    name === 'comment' ? allowComment : donorFields.some((field) => field.name === name),
  );
  if (offered.length === 0) return nothing;
  return html`
    <details>
      <summary>The donor’s own details</summary>
      <p class="hint">A link is read by everything on its way: mail servers, statistics, whoever it is forwarded to. So write no names into it.
        Use your mailer’s merge tags, and each donor finds their own details: tags such as <code>*|FNAME|*</code>, <code>{{first_name}}</code> and <code>%%EMAIL%%</code> stay as they are.</p>
      <div class="fields">${offered.map((name) => textField(view, { name, label: LABELS[name], isHalf: name === 'firstName' || name === 'lastName' }))}</div>
    </details>`;
}
