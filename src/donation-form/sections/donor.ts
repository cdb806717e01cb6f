import { html, nothing, type TemplateResult } from 'lit';
import {
  DONOR_AUTOCOMPLETE,
  DONOR_INPUT_TYPES,
  type DonorField,
  MAX_COMMENT_LENGTH,
  MAX_DONOR_FIELD_LENGTHS,
} from '@donation-form/core/donor';
import { isDonorFieldRequired } from '@donation-form/core/form-state';
import type { View } from '../form/view-model.ts';
import type { AddressFields } from './address-fields.ts';
import { getErrorBindings } from './field-error.ts';

/** Fields that share a row if there is enough space. */
const HALF_WIDTH_FIELDS: readonly DonorField[] = [
  'firstName',
  'lastName',
  'city',
  'state',
  'postal',
  'country',
];

export function renderDonor(
  view: View,
  optionalSections: typeof import('./optional-sections.ts') | undefined,
  address: AddressFields | undefined,
): TemplateResult {
  const { texts, context, state } = view;
  const { definition } = context;
  const { isInvalid, describedBy, message } = getErrorBindings(view, 'comment');
  return html`
    <fieldset part="donor">
      <legend>${texts.donor}</legend>
      <div class="fields">
        ${optionalSections?.renderOrganization(view)}
        ${definition.donorFields
          .filter(({ name }) => !address?.hasControl(name))
          .map(({ name, required }) =>
            renderDonorField(view, name, required && isDonorFieldRequired(name, state, definition)),
          )}
        ${address?.render(view)}
        ${optionalSections?.renderDonorExtras(view)}
        ${
          definition.allowComment
            ? html`
          <div class="field">
            <label class="label" for="comment">${texts.comment} <span class="hint">${texts.optional}</span></label>
            <textarea
              id="comment"
              name="comment"
              rows="3"
              autocomplete="off"
              maxlength=${MAX_COMMENT_LENGTH}
              aria-invalid=${isInvalid}
              aria-describedby=${describedBy}
              .value=${state.comment}
            ></textarea>
            ${message}
          </div>`
            : nothing
        }
      </div>
    </fieldset>`;
}

function renderDonorField(view: View, name: DonorField, isRequired: boolean): TemplateResult {
  const { texts, state } = view;
  const { isInvalid, describedBy, message } = getErrorBindings(view, name);
  return html`
    <div class="field ${HALF_WIDTH_FIELDS.includes(name) ? 'half' : ''}">
      <label class="label" for="${name}-control">${texts.fields[name]}${
        isRequired ? nothing : html` <span class="hint">${texts.optional}</span>`
      }</label>
      <input
        id="${name}-control"
        name=${name}
        type=${DONOR_INPUT_TYPES[name] ?? 'text'}
        autocomplete=${DONOR_AUTOCOMPLETE[name]}
        maxlength=${MAX_DONOR_FIELD_LENGTHS[name]}
        ?required=${isRequired}
        aria-invalid=${isInvalid}
        aria-describedby=${describedBy}
        .value=${state.donor[name] ?? ''}
      >
      ${message}
    </div>`;
}
