import { html, nothing, type TemplateResult } from 'lit';
import { isNeeded } from '../state/form-state.ts';
import { COMMENT_LENGTH, DONOR_FIELD_LENGTHS, type DonorField } from '@donation-form/core/donor';
import type { OptionalSections } from './optional-sections.ts';
import type { View } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';

/** What browsers know each field by: HTML, 'Autofill'. */
const AUTOCOMPLETE = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'email',
  phone: 'tel',
  address1: 'address-line1',
  address2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postal: 'postal-code',
  country: 'country-name',
} as const satisfies Record<DonorField, string>;
const TYPE: Readonly<Partial<Record<DonorField, 'email' | 'tel'>>> = {
  email: 'email',
  phone: 'tel',
};
/** Fields that stand beside their neighbour where there is room. */
const HALF: readonly DonorField[] = ['firstName', 'lastName', 'city', 'state', 'postal', 'country'];

/** @param more what else this form asks about the donor. */
export function donorSection(view: View, more: OptionalSections | undefined): TemplateResult {
  const {
    texts,
    context: { definition },
    state,
  } = view;
  const { isInvalid, describedBy, message } = fieldProblem(view, 'comment');
  return html`
    <fieldset part="donor">
      <legend>${texts.donor}</legend>
      <div class="fields">
        ${more?.organization(view)}
        ${definition.donorFields.filter(({ name }) => !more?.address?.asks(name)).map(({ name, required }) => donorField(view, name, required && isNeeded(name, state, definition)))}
        ${more?.address?.section(view)}
        ${more?.aboutDonor(view)}
        ${
          definition.allowComment
            ? html`
          <div class="field">
            <label class="label" for="comment">${texts.comment} <span class="hint">${texts.optional}</span></label>
            <textarea id="comment" name="comment" rows="3" maxlength=${COMMENT_LENGTH} aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${state.comment}></textarea>
            ${message}
          </div>`
            : nothing
        }
      </div>
    </fieldset>`;
}

function donorField(view: View, name: DonorField, required: boolean): TemplateResult {
  const { texts, state } = view;
  const { isInvalid, describedBy, message } = fieldProblem(view, name);
  return html`
    <div class="field ${HALF.includes(name) ? 'half' : ''}">
      <label class="label" for="${name}-control">${texts.fields[name]}${required ? nothing : html` <span class="hint">${texts.optional}</span>`}</label>
      <input id="${name}-control" name=${name} type=${TYPE[name] ?? 'text'} autocomplete=${AUTOCOMPLETE[name]} maxlength=${DONOR_FIELD_LENGTHS[name]} ?required=${required}
        aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${state.donor[name] ?? ''}>
      ${message}
    </div>`;
}
