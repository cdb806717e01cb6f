import { html } from 'hono/html';
import {
  DONOR_AUTOCOMPLETE,
  DONOR_INPUT_TYPES,
  MAX_COMMENT_LENGTH,
  MAX_DONOR_FIELD_LENGTHS,
} from '@donation-form/core/donor';
import {
  type CheckboxField,
  type ChoiceField,
  describeAnonymity,
  describeConsents,
  describeCustomField,
  describeGiftAid,
  describeOrganization,
  describeTribute,
  type Field,
  type FieldError,
  getFirstControlValue,
  getGiftAidScope,
  getTributeKind,
  isDonorFieldRequired,
  isVisibleCustomField,
  type TextField,
} from '@donation-form/core/form-state';
import type { Html } from '../render-document.ts';
import type { PageForm } from './page-form.ts';

export interface FormView extends PageForm {
  readonly errors: readonly FieldError[];
}

/** The control's `aria-describedby` refers to the message's ID. */
export function renderError({ errors }: FormView, control: string): Html | '' {
  const error = errors.find((one) => one.control === control);
  return error ? html`<p class="error" id="${control}-error">${error.message}</p>` : '';
}

export function renderErrorAttributes({ errors }: FormView, control: string, hint?: string): Html {
  const isInvalid = errors.some((error) => error.control === control);
  const ids = [...(hint ? [`${control}-hint`] : []), ...(isInvalid ? [`${control}-error`] : [])];
  return html`${isInvalid ? html` aria-invalid="true"` : ''}${
    ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : ''
  }`;
}

export const renderHint = (control: string, hint: string | undefined): Html | '' =>
  hint ? html`<p class="hint" id="${control}-hint">${hint}</p>` : '';

const renderOptional = ({ texts }: FormView, isRequired = false): Html | '' =>
  isRequired ? '' : html` <small>${texts.form.optional}</small>`;

function renderField(view: FormView, field: Field): Html {
  switch (field.type) {
    case 'checkbox':
      return renderCheckbox(view, field);
    case 'select':
    case 'radios':
    case 'segments':
    case 'checkboxes':
      return renderChoiceGroup(view, field);
    default:
      return renderTextField(
        view,
        field,
        getFirstControlValue(view.state.optionalFields, field.control),
      );
  }
}

function renderTextField(
  view: FormView,
  { control, label, hint, isRequired, type, inputMode, autocomplete = 'off', maxLength }: TextField,
  value: string,
): Html {
  const attributes = html`id="${control}" name="${control}" autocomplete="${autocomplete}"${
    maxLength === undefined ? '' : html` maxlength="${maxLength}"`
  }${inputMode ? html` inputmode="${inputMode}"` : ''}${isRequired ? ' required' : ''}${renderErrorAttributes(view, control, hint)}`;
  return html`<div class="field"><label for="${control}">${label}${renderOptional(
    view,
    isRequired,
  )}</label>${renderHint(control, hint)}
${
  type === 'textarea'
    ? html`<textarea rows="3" ${attributes}>\n${value}</textarea>`
    : html`<input type="${type}" ${attributes} value="${value}">`
}${renderError(view, control)}</div>
`;
}

interface Choice {
  readonly control: string;
  readonly value: string;
  readonly label: string | Html;
  readonly isSelected: boolean;
}

export function renderChoice(
  type: 'checkbox' | 'radio',
  { control, value, label, isSelected }: Choice,
  attributes: Html | '' = '',
): Html {
  return html`<label class="choice"><input type="${type}" name="${control}" value="${value}"${isSelected ? ' checked' : ''}${attributes}><span>${label}</span></label>
`;
}

function renderCheckbox(
  view: FormView,
  { control, label, value, hint, isRequired = false }: CheckboxField,
): Html {
  const isSelected = view.state.optionalFields[control]?.includes(value) ?? false;
  const attributes = html` id="${control}"${isRequired ? ' required' : ''}${renderErrorAttributes(
    view,
    control,
    hint,
  )}`;
  return html`<div class="field">${renderChoice(
    'checkbox',
    {
      control,
      value,
      label: isRequired ? label : html`${label}${renderOptional(view)}`,
      isSelected,
    },
    attributes,
  )}${renderHint(control, hint)}${renderError(view, control)}</div>
`;
}

/** The page has no lists of options. */
function renderChoiceGroup(
  view: FormView,
  { control, label, hint, isRequired, type, options }: ChoiceField,
): Html {
  const selected = view.state.optionalFields[control] ?? [];
  return html`<fieldset class="field" id="${control}"${renderErrorAttributes(
    view,
    control,
    hint,
  )}><legend>${label}${renderOptional(view, isRequired)}</legend>${renderHint(control, hint)}
${options.map((option) =>
  renderChoice(type === 'checkboxes' ? 'checkbox' : 'radio', {
    control,
    ...option,
    isSelected: selected.includes(option.value),
  }),
)}${renderError(view, control)}</fieldset>`;
}

export function renderDonorFields(view: FormView): Html {
  const {
    context: { definition },
    state,
    shownDonor,
    texts: { form, optionalFields: texts },
  } = view;
  const { donorFields, allowOrganizations, allowAnonymous, allowComment } = definition;
  const { enabled, name: organizationName } = describeOrganization(texts);
  return html`<fieldset><legend>${form.donor}</legend><div class="fields">
${
  allowOrganizations
    ? html`${renderField(view, enabled)}${renderField(view, makeOptional(organizationName))}`
    : ''
}
${donorFields.map(({ name, required }) =>
  renderTextField(
    view,
    {
      control: name,
      label: form.fields[name],
      type: DONOR_INPUT_TYPES[name] ?? 'text',
      autocomplete: DONOR_AUTOCOMPLETE[name],
      maxLength: MAX_DONOR_FIELD_LENGTHS[name],
      isRequired: required && isDonorFieldRequired(name, state, definition),
    },
    shownDonor[name] ?? '',
  ),
)}
${allowAnonymous ? renderField(view, describeAnonymity(definition, texts)) : ''}
${definition.customFields
  .filter(isVisibleCustomField)
  .map((field) => renderField(view, describeCustomField(field, texts)))}
${
  allowComment
    ? renderTextField(
        view,
        {
          control: 'comment',
          label: form.comment,
          type: 'textarea',
          maxLength: MAX_COMMENT_LENGTH,
        },
        state.comment,
      )
    : ''
}</div></fieldset>`;
}

/** Without a script, the page also shows a field that depends on a choice before it. */
const makeOptional = (field: TextField): TextField => ({ ...field, isRequired: false });

export function renderTribute(view: FormView): Html | '' {
  const { definition } = view.context;
  if (!definition.allowTribute) return '';
  const { kind, name, notify, message } = describeTribute(definition, view.texts.optionalFields);
  const selected = getTributeKind(view.state, definition) ?? 'none';
  return html`<fieldset><legend>${kind.label}</legend>
${kind.options.map((option) =>
  renderChoice('radio', {
    control: kind.control,
    ...option,
    isSelected: option.value === selected,
  }),
)}
${renderField(view, makeOptional(name))}
${renderField(view, notify)}
${renderField(view, message)}</fieldset>`;
}

/** Shows both declarations, because the page cannot react to the donor's choice. */
export function renderGiftAid(view: FormView): Html | '' {
  const { context, state, texts } = view;
  const { definition, settings } = context;
  const { giftAid } = definition;
  if (!giftAid || settings.currency.code !== 'GBP') return '';
  const { optionalFields } = texts;
  const { declared, scope, house, postcode } = describeGiftAid(optionalFields);
  const selected = getGiftAidScope(state, context) ?? 'single';
  const renderText = (text: string): Html =>
    html`<p class="hint" lang="${giftAid.language}">${text}</p>`;
  return html`<fieldset><legend>${optionalFields.giftAid}</legend>
${renderField(view, declared)}
${
  state.frequency === 'once'
    ? scope.options.map(
        ({ value, label }) =>
          html`${renderChoice('radio', {
            control: scope.control,
            value,
            label,
            isSelected: value === selected,
          })}${renderText(giftAid[value as 'single' | 'all'])}`,
      )
    : renderText(giftAid.all)
}
<p>${optionalFields.giftAidAddress}</p>
${renderField(view, makeOptional(house))}${renderField(view, makeOptional(postcode))}</fieldset>`;
}

export function renderConsents(view: FormView): Html[] {
  return describeConsents(view.context.definition).map((consent) => renderField(view, consent));
}
