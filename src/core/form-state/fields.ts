import {
  GIFT_AID_SCOPES,
  MAX_HOUSE_LENGTH,
  MAX_POSTCODE_LENGTH,
  MAX_TRIBUTE_NAME_LENGTH,
  TRIBUTE_KINDS,
} from '../donation/index.ts';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  type DONOR_AUTOCOMPLETE,
  MAX_COMMENT_LENGTH,
  MAX_CUSTOM_VALUE_LENGTH,
  MAX_DONOR_FIELD_LENGTHS,
  MAX_ORGANIZATION_LENGTH,
} from '../donor/index.ts';
import { fillPlaceholders, type OptionalFieldTexts } from '../i18n/index.ts';
import type { FormDefinition } from '../schemas/index.ts';
import type { VisibleCustomField } from './custom-fields.ts';

const MAX_NUMBER_LENGTH = 30;

interface BaseField {
  readonly control: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** If false, the label marks the field as optional. */
  readonly isRequired?: boolean;
}

export interface TextField extends BaseField {
  readonly type: 'text' | 'email' | 'tel' | 'url' | 'date' | 'textarea';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?:
    'off' | 'organization' | (typeof DONOR_AUTOCOMPLETE)[keyof typeof DONOR_AUTOCOMPLETE];
  readonly maxLength?: number;
  readonly isAmount?: boolean;
}

export interface CheckboxField extends BaseField {
  readonly type: 'checkbox';
  readonly value: string;
}

/** A group of radio buttons or checkboxes, or a list. `segments` are radio buttons in a row. */
export interface ChoiceField extends BaseField {
  readonly type: 'radios' | 'segments' | 'select' | 'checkboxes';
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Field from which the element and the page without JavaScript render the same control. */
export type Field = TextField | CheckboxField | ChoiceField;

export function describeCustomField(
  { id, type, formatter, label, hint, required: isRequired, options = [] }: VisibleCustomField,
  texts: OptionalFieldTexts,
): Field {
  const { Boolean, Date, Decimal, Integer, Link, List, Multiselect, Paragraph } =
    CustomFieldDataType;
  const { None, BooleanButton, Currency, CurrencyWithDecimals, ListRadio } =
    CustomFieldDataFormatter;
  const field = { control: `custom.${id}`, label, hint, isRequired };
  const textField = { ...field, maxLength: MAX_CUSTOM_VALUE_LENGTH };
  switch (type) {
    case Boolean:
      if (formatter === None) return { ...field, type: 'checkbox', value: 'true' };
      return {
        ...field,
        type: formatter === BooleanButton ? 'segments' : 'radios',
        options: [
          { value: 'true', label: texts.yes },
          { value: 'false', label: texts.no },
        ],
      };
    case List:
      return { ...field, type: formatter === ListRadio ? 'radios' : 'select', options };
    case Multiselect:
      return { ...field, type: 'checkboxes', options };
    case Date:
      return { ...field, type: 'date' };
    case Link:
      return { ...textField, type: 'url' };
    case Paragraph:
      return { ...textField, type: 'textarea' };
    case Integer:
    case Decimal:
      return {
        ...field,
        type: 'text',
        inputMode: type === Integer ? 'numeric' : 'decimal',
        maxLength: MAX_NUMBER_LENGTH,
        isAmount: formatter === Currency || formatter === CurrencyWithDecimals,
      };
    default:
      return { ...textField, type: 'text' };
  }
}

export function describeTribute(
  { organization, sendsTributeMail }: FormDefinition,
  texts: OptionalFieldTexts,
): { readonly kind: ChoiceField } & Readonly<Record<'name' | 'notify' | 'message', TextField>> {
  return {
    kind: {
      control: 'tribute.kind',
      label: texts.tribute,
      type: 'segments',
      options: (['none', ...TRIBUTE_KINDS] as const).map((value) => ({
        value,
        label: texts.tributeKinds[value],
      })),
    },
    name: {
      control: 'tribute.name',
      label: texts.tributeName,
      type: 'text',
      isRequired: true,
      maxLength: MAX_TRIBUTE_NAME_LENGTH,
    },
    notify: {
      control: 'tribute.notify',
      label: texts.tributeNotify,
      hint: fillPlaceholders(sendsTributeMail ? texts.tributeMailHint : texts.tributeNotifyHint, {
        organization: organization.name,
      }),
      type: 'email',
      maxLength: MAX_DONOR_FIELD_LENGTHS.email,
    },
    message: {
      control: 'tribute.message',
      label: texts.tributeMessage,
      type: 'textarea',
      maxLength: MAX_COMMENT_LENGTH,
    },
  };
}

export function describeOrganization(texts: OptionalFieldTexts): {
  readonly enabled: CheckboxField;
  readonly name: TextField;
} {
  return {
    enabled: {
      control: 'organization.enabled',
      label: texts.givingAsOrganization,
      type: 'checkbox',
      value: 'true',
    },
    name: {
      control: 'organization.name',
      label: texts.organizationName,
      type: 'text',
      isRequired: true,
      autocomplete: 'organization',
      maxLength: MAX_ORGANIZATION_LENGTH,
    },
  };
}

export function describeAnonymity(
  { organization }: FormDefinition,
  texts: OptionalFieldTexts,
): CheckboxField {
  return {
    control: 'gift.anonymous',
    label: texts.anonymous,
    hint: fillPlaceholders(texts.anonymousHint, { organization: organization.name }),
    type: 'checkbox',
    value: 'true',
  };
}

/** `declared` is the checkbox. The others are needed once it is checked. */
export function describeGiftAid(texts: OptionalFieldTexts): {
  readonly declared: CheckboxField;
  readonly scope: ChoiceField;
} & Readonly<Record<'house' | 'postcode', TextField>> {
  return {
    declared: {
      control: 'giftAid.declared',
      label: texts.giftAidOffer,
      type: 'checkbox',
      value: 'true',
    },
    scope: {
      control: 'giftAid.scope',
      label: texts.giftAidScope,
      type: 'radios',
      isRequired: true,
      options: GIFT_AID_SCOPES.map((value) => ({ value, label: texts.giftAidScopes[value] })),
    },
    house: {
      control: 'giftAid.house',
      label: texts.giftAidHouse,
      type: 'text',
      isRequired: true,
      maxLength: MAX_HOUSE_LENGTH,
    },
    postcode: {
      control: 'giftAid.postcode',
      label: texts.giftAidPostcode,
      type: 'text',
      isRequired: true,
      autocomplete: 'postal-code',
      maxLength: MAX_POSTCODE_LENGTH,
    },
  };
}

/** Describes the consent checkboxes. A checkbox's value is the text that the donor agrees to. */
export function describeConsents({ consents }: FormDefinition): CheckboxField[] {
  return consents.map(({ id, text, required }) => ({
    control: `consent.${id}`,
    label: text,
    type: 'checkbox',
    value: text,
    isRequired: required,
  }));
}
