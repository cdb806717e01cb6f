import { createRequestError, isJsonObject, type JsonObject } from '../lib/request-parsing.ts';

/** Type of a field. A list with one type stands for a list of any length. */
type FieldType =
  | '<string>'
  | '<integer>'
  | '<decimal>'
  | '<boolean>'
  | '<values by name>'
  | readonly [FieldType]
  | { readonly [name: string]: FieldType };

const CONTACT = {
  referenceId: '<string>',
  id: '<integer>',
  name: '<string>',
  type: '<string>',
  title: '<string>',
  firstname: '<string>',
  middlename: '<string>',
  lastname: '<string>',
  suffix: '<string>',
  birthMonth: '<string>',
  birthDay: '<string>',
  birthYear: '<string>',
  gender: '<string>',
  emailType: '<string>',
  email: '<string>',
  phoneType: '<string>',
  phone: '<string>',
  address: {
    address1: '<string>',
    address2: '<string>',
    city: '<string>',
    state: '<string>',
    postal: '<string>',
    country: '<string>',
  },
  tags: '<string>',
  emailLists: ['<string>'],
} as const satisfies FieldType;

/**
 * Fields of a gift transaction, as Virtuous's own client describes them:
 * https://github.com/VirtuousCRM/n8n-nodes-virtuous-crm
 * `giftDesignations` is the name of `designations` in the guides.
 */
export const GIFT_TRANSACTION_FIELDS = {
  transactionSource: '<string>',
  transactionId: '<string>',
  contact: CONTACT,
  giftDate: '<string>',
  cancelDate: '<string>',
  giftType: '<string>',
  amount: '<string>',
  currencyCode: '<string>',
  exchangeRate: '<decimal>',
  frequency: '<string>',
  recurringGiftTransactionId: '<string>',
  recurringGiftTransactionUpdate: '<boolean>',
  pledgeFrequency: '<string>',
  pledgeTransactionId: '<string>',
  pledgeExpectedFullfillmentDate: '<string>',
  batch: '<string>',
  notes: '<string>',
  segment: '<string>',
  mediaOutlet: '<string>',
  receiptDate: '<string>',
  receiptSegment: '<string>',
  cashAccountingCode: '<string>',
  tribute: '<string>',
  tributeDedication: {
    tributeId: '<integer>',
    tributeType: '<string>',
    tributeFirstName: '<string>',
    tributeLastName: '<string>',
    tributeCity: '<string>',
    tributeState: '<string>',
    acknowledgeeIndividualId: '<integer>',
    acknowledgeeFirstName: '<string>',
    acknowledgeeLastName: '<string>',
    acknowledgeeAddress: '<string>',
    acknowledgeeCity: '<string>',
    acknowledgeeState: '<string>',
    acknowledgeePostal: '<string>',
    acknowledgeeEmail: '<string>',
    acknowledgeePhone: '<string>',
  },
  isPrivate: '<boolean>',
  isTaxDeductible: '<boolean>',
  checkNumber: '<string>',
  creditCardType: '<string>',
  nonCashGiftTypeId: '<integer>',
  nonCashGiftType: '<string>',
  nonCashGiftDescription: '<string>',
  stockTickerSymbol: '<string>',
  stockNumberOfShares: '<integer>',
  iraCustodian: '<string>',
  submissionUrl: '<string>',
  designations: [
    { id: '<integer>', name: '<string>', code: '<string>', amountDesignated: '<string>' },
  ],
  giftDesignations: [{ projectCode: '<string>', amountDesignated: '<string>' }],
  premiums: [{ id: '<integer>', name: '<string>', code: '<string>', quantity: '<string>' }],
  customFields: '<values by name>',
  customObjects: [{ name: '<string>', fields: [{ name: '<string>', value: '<string>' }] }],
  contactIndividualId: '<integer>',
  passthroughContact: CONTACT,
  eventAttendee: {
    eventId: '<integer>',
    eventName: '<string>',
    invited: '<boolean>',
    rsvp: '<boolean>',
    rsvpResponse: '<boolean>',
    attended: '<boolean>',
  },
} as const satisfies FieldType;

/** Gift types that the same client names as examples. An account can have others. */
export const GIFT_TYPES: readonly string[] = [
  'Cash',
  'Check',
  'Credit',
  'EFT',
  'NonCash',
  'Stock',
  'Other',
  'ReversingTransaction',
  'Cryptocoin',
  'Pledge',
  'PayPal',
];

const isValidScalar: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<string>': (value) => typeof value === 'string',
  '<integer>': Number.isSafeInteger,
  '<decimal>': (value) => typeof value === 'number',
  '<boolean>': (value) => typeof value === 'boolean',
  '<values by name>': (value) =>
    isJsonObject(value) && Object.values(value).every((entry) => typeof entry === 'string'),
};

/**
 * Checks the names and types of all fields. Virtuous does not document how it treats unknown fields;
 * rejecting them shows mistakes.
 * @throws HTTPException with status 400.
 */
export function assertFieldsAreValid(
  body: JsonObject,
  fields: Readonly<Record<string, FieldType>> = GIFT_TRANSACTION_FIELDS,
  path = '',
): void {
  for (const [name, value] of Object.entries(body)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (type === undefined)
      throw createRequestError(`A gift transaction has no field ${path}${name}.`);
    assertValueIsValid(value, type, path + name);
  }
}

function assertValueIsValid(value: unknown, type: FieldType, path: string): void {
  if (typeof type === 'string') {
    if (!isValidScalar[type]!(value)) throw createRequestError(`${path} must be a ${type}.`);
  } else if (isFieldList(type)) {
    if (!Array.isArray(value)) throw createRequestError(`${path} must be a list.`);
    value.forEach((entry, index) => {
      assertValueIsValid(entry, type[0], `${path}.${index}`);
    });
  } else {
    if (!isJsonObject(value)) throw createRequestError(`${path} must be an object.`);
    assertFieldsAreValid(value, type, `${path}.`);
  }
}

const isFieldList = (type: FieldType): type is readonly [FieldType] => Array.isArray(type);
