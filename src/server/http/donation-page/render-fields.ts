import { html } from 'hono/html';
import {
  getTributeKind,
  isControlChecked,
  isDonorFieldRequired,
  isVisibleCustomField,
  type VisibleCustomField,
} from '@donation-form/core/form-state';
import { MAX_TRIBUTE_NAME_LENGTH, TRIBUTE_KINDS } from '@donation-form/core/donation';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  type DonorField,
  MAX_DONOR_FIELD_LENGTHS,
  MAX_ORGANIZATION_LENGTH,
  MAX_TEXT_LENGTH,
} from '@donation-form/core/donor';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { Html } from '../render-document.ts';
import type { FieldError } from './find-errors.ts';
import type { PageForm } from './page-form.ts';

/** A form with the errors to show beside its fields. */
export interface FormView extends PageForm {
  readonly errors: readonly FieldError[];
}

interface Field {
  readonly control: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  readonly type?: 'text' | 'email' | 'tel' | 'date' | 'url' | 'textarea';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: string;
  readonly maxLength?: number;
}

/** Value of the `autocomplete` attribute for each control (HTML Standard, "Autofill"). */
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

const INPUT_TYPES: Readonly<Partial<Record<DonorField, Field['type']>>> = {
  email: 'email',
  phone: 'tel',
};

/**
 * Renders a control's error message. The control's `aria-describedby` refers to the message's ID.
 */
export function renderError({ errors }: FormView, control: string): Html | '' {
  const error = errors.find((one) => one.control === control);
  return error ? html`<p class="error" id="${control}-error">${error.message}</p>` : '';
}

/** Renders the attributes that connect a control with its hint and error message. */
export function renderErrorAttributes({ errors }: FormView, control: string, hint?: string): Html {
  const isInvalid = errors.some((error) => error.control === control);
  const ids = [...(hint ? [`${control}-hint`] : []), ...(isInvalid ? [`${control}-error`] : [])];
  return html`${isInvalid ? html` aria-invalid="true"` : ''}${
    ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : ''
  }`;
}

const renderHint = (control: string, hint: string | undefined): Html | '' =>
  hint ? html`<p class="hint" id="${control}-hint">${hint}</p>` : '';

const renderOptional = ({ texts }: FormView, isRequired = false): Html | '' =>
  isRequired ? '' : html` <small>${texts.form.optional}</small>`;

function renderField(
  view: FormView,
  {
    control,
    label,
    value,
    hint,
    isRequired,
    type = 'text',
    inputMode,
    autocomplete = 'off',
    maxLength = MAX_TEXT_LENGTH,
  }: Field,
): Html {
  const attributes = html`id="${control}" name="${control}" autocomplete="${autocomplete}" maxlength="${maxLength}"${
    inputMode ? html` inputmode="${inputMode}"` : ''
  }${isRequired ? ' required' : ''}${renderErrorAttributes(view, control, hint)}`;
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

/** Renders a checkbox or a radio button with its label. */
export function renderChoice(
  type: 'checkbox' | 'radio',
  {
    control,
    value,
    label,
    isSelected,
  }: {
    readonly control: string;
    readonly value: string;
    readonly label: string | Html;
    readonly isSelected: boolean;
  },
  attributes: Html | '' = '',
): Html {
  return html`<label class="choice"><input type="${type}" name="${control}" value="${value}"${isSelected ? ' checked' : ''}${attributes}><span>${label}</span></label>
`;
}

function renderCheckbox(
  view: FormView,
  control: string,
  label: string,
  {
    value = 'true',
    hint,
    isRequired = false,
  }: {
    readonly value?: string;
    readonly hint?: string | undefined;
    readonly isRequired?: boolean;
  } = {},
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

/** Renders the donor fields, the custom fields, and the comment. */
export function renderDonorFields(view: FormView): Html {
  const {
    context: { definition },
    state,
    shownDonor,
    texts: { form, optionalFields: texts },
  } = view;
  const { organization, donorFields, allowOrganizations, allowAnonymous, allowComment } =
    definition;
  return html`<fieldset><legend>${form.donor}</legend><div class="fields">
${
  allowOrganizations
    ? html`${renderCheckbox(view, 'organization.enabled', texts.givingAsOrganization)}${renderField(
        view,
        {
          control: 'organization.name',
          label: texts.organizationName,
          value: getValue(view, 'organization.name'),
          autocomplete: 'organization',
          maxLength: MAX_ORGANIZATION_LENGTH,
        },
      )}`
    : ''
}
${donorFields.map(({ name, required }) =>
  renderField(view, {
    control: name,
    label: form.fields[name],
    value: shownDonor[name] ?? '',
    type: INPUT_TYPES[name] ?? 'text',
    autocomplete: AUTOCOMPLETE[name],
    maxLength: MAX_DONOR_FIELD_LENGTHS[name],
    isRequired: required && isDonorFieldRequired(name, state, definition),
  }),
)}
${
  allowAnonymous
    ? renderCheckbox(view, 'gift.anonymous', texts.anonymous, {
        hint: fillPlaceholders(texts.anonymousHint, { organization: organization.name }),
      })
    : ''
}
${definition.customFields.filter(isVisibleCustomField).map((field) => renderCustomField(view, field))}
${
  allowComment
    ? renderField(view, {
        control: 'comment',
        label: form.comment,
        value: state.comment,
        type: 'textarea',
      })
    : ''
}</div></fieldset>`;
}

const getValue = ({ state }: FormView, control: string): string =>
  state.optionalFields[control]?.[0] ?? '';

/** Renders the tribute fields, for donations in honor or memory of someone. */
export function renderTribute(view: FormView): Html | '' {
  const {
    context: { definition },
    state,
    texts: { optionalFields: texts },
  } = view;
  const { allowTribute, organization } = definition;
  if (!allowTribute) return '';
  const selected = getTributeKind(state, definition) ?? 'none';
  return html`<fieldset><legend>${texts.tribute}</legend>
${(['none', ...TRIBUTE_KINDS] as const).map((value) =>
  renderChoice('radio', {
    control: 'tribute.kind',
    value,
    label: texts.tributeKinds[value],
    isSelected: value === selected,
  }),
)}
${renderField(view, {
  control: 'tribute.name',
  label: texts.tributeName,
  value: getValue(view, 'tribute.name'),
  maxLength: MAX_TRIBUTE_NAME_LENGTH,
})}
${renderField(view, {
  control: 'tribute.notify',
  label: texts.tributeNotify,
  hint: fillPlaceholders(texts.tributeNotifyHint, { organization: organization.name }),
  value: getValue(view, 'tribute.notify'),
  type: 'email',
  maxLength: MAX_DONOR_FIELD_LENGTHS.email,
})}
${renderField(view, {
  control: 'tribute.message',
  label: texts.tributeMessage,
  value: getValue(view, 'tribute.message'),
  type: 'textarea',
})}</fieldset>`;
}

/** Renders the consent checkboxes. Each checkbox's value is the text that the donor agrees to. */
export function renderConsents(view: FormView): Html[] {
  return view.context.definition.consents.map(({ id, text, required }) =>
    renderCheckbox(view, `consent.${id}`, text, { value: text, isRequired: required }),
  );
}

const FIELD_TYPES: Readonly<Partial<Record<CustomFieldDataType, Field['type']>>> = {
  [CustomFieldDataType.Date]: 'date',
  [CustomFieldDataType.Link]: 'url',
  [CustomFieldDataType.Paragraph]: 'textarea',
};

const INPUT_MODES: Readonly<Partial<Record<CustomFieldDataType, Field['inputMode']>>> = {
  [CustomFieldDataType.Integer]: 'numeric',
  [CustomFieldDataType.Decimal]: 'decimal',
};

function renderCustomField(view: FormView, field: VisibleCustomField): Html {
  const { type, formatter, label, hint, required: isRequired } = field;
  const control = `custom.${field.id}`;
  const { optionalFields: texts } = view.texts;
  const { Boolean, List, Multiselect } = CustomFieldDataType;
  if (type === Boolean && formatter === CustomFieldDataFormatter.None)
    return renderCheckbox(view, control, label, { hint, isRequired });
  if (type !== Boolean && type !== List && type !== Multiselect) {
    const inputMode = INPUT_MODES[type];
    return renderField(view, {
      control,
      label,
      hint,
      isRequired,
      value: getValue(view, control),
      type: FIELD_TYPES[type] ?? 'text',
      ...(inputMode && { inputMode }),
    });
  }
  const options =
    type === Boolean
      ? [
          { value: 'true', label: texts.yes },
          { value: 'false', label: texts.no },
        ]
      : (field.options ?? []);
  const selected = view.state.optionalFields[control] ?? [];
  return html`<fieldset class="field" id="${control}"${renderErrorAttributes(
    view,
    control,
    hint,
  )}><legend>${label}${renderOptional(view, isRequired)}</legend>${renderHint(control, hint)}
${options.map((option) =>
  renderChoice(type === Multiselect ? 'checkbox' : 'radio', {
    control,
    ...option,
    isSelected:
      isControlChecked(view.state.optionalFields, control) && selected.includes(option.value),
  }),
)}${renderError(view, control)}</fieldset>`;
}
