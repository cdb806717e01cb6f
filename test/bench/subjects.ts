/** The forms that are measured beside each other. */

/** Number of suggested amounts and of forms on the page. */
export interface Size {
  readonly amounts: number;
  readonly forms: number;
}

export const NORMAL_SIZE: Size = { amounts: 5, forms: 1 };

/** Sizes whose CPU time shows how a form scales. */
export const LARGE_SIZES = {
  '50 options': { amounts: 50, forms: 1 },
  '500 options': { amounts: 500, forms: 1 },
  '10 forms': { amounts: 5, forms: 10 },
} as const satisfies Readonly<Record<string, Size>>;

export type LargeSize = keyof typeof LARGE_SIZES;

export const LARGE_SIZE_NAMES = Object.keys(LARGE_SIZES) as LargeSize[];

export interface Subject {
  readonly name: string;
  /**
   * File in `baselines/`, or the ID of one of this project's forms and its script: the one that
   * contains the form's definition, or the one for all forms.
   */
  readonly source:
    | { readonly baseline: string }
    | { readonly form: string; readonly script: 'embed/FORM.js' | 'donation-form.js' };
  /**
   * Selectors of every visible field and the button, last ones first. A form is ready when each of
   * them has a box.
   */
  readonly createSelectors: (amounts: number) => readonly string[];
  /** Selector of the controls that the benchmark clicks. */
  readonly clickable: string;
  /** False if the form cannot show more amounts. */
  readonly isScalable: boolean;
}

const BASELINE_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'address1',
  'address2',
  'city',
  'region',
  'postalCode',
  'country',
];

const createBaselineSelectors = (amounts: number): string[] =>
  [
    `.amounts button:nth-of-type(${amounts})`,
    '#custom',
    '[name=frequency][value=annual]',
    ...BASELINE_FIELDS.map((name) => `#${name}`),
    '[name=coverFees]',
    '[name=anonymous]',
    'button.go',
  ].toReversed();

const createBaseline = (name: string, file: string): Subject => ({
  name,
  source: { baseline: file },
  createSelectors: createBaselineSelectors,
  clickable: '.amounts button',
  isScalable: true,
});

/** The form to which all others are compared. */
export const HAND_WRITTEN = createBaseline('hand-written', 'hand-written.js');
export const TUNED_LIT = createBaseline('tuned Lit', 'tuned-lit.js');
export const PREACT = createBaseline('Preact', 'preact.jsx');

/** Adyen's Donation component has three amounts and two buttons, and no other field. */
export const ADYEN: Subject = {
  name: 'Adyen Donation',
  source: { baseline: 'adyen.js' },
  createSelectors: () => [
    'button.adyen-checkout__button--donate',
    '.adyen-checkout__button-group label:nth-of-type(3)',
  ],
  clickable: '.adyen-checkout__button-group label',
  isScalable: false,
};

/** Donor fields of the plain form. */
export const PLAIN_FIELDS = {
  firstName: 'required',
  lastName: 'required',
  email: 'required',
  phone: 'optional',
  address1: 'required',
  address2: 'optional',
  city: 'required',
  state: 'optional',
  postal: 'required',
} as const;

const createFormSelectors = (amounts: number, ...others: readonly string[]): string[] =>
  [
    '[name=frequency][value=annually]',
    `.tiles label:nth-of-type(${amounts})`,
    '[name=customAmount]',
    ...Object.keys(PLAIN_FIELDS).map((name) => `[name=${name}]`),
    ...others,
    'button[type=submit]',
  ].toReversed();

export const PLAIN: Subject = {
  name: 'this form, plain',
  source: { form: 'plain', script: 'embed/FORM.js' },
  createSelectors: (amounts) => createFormSelectors(amounts, '[name=coverCosts]'),
  clickable: '.tiles label.choice',
  isScalable: true,
};

/** The plain form as its definition loads if the page's language is not the script's. */
const PLAIN_IN_TWO_REQUESTS: Subject = {
  ...PLAIN,
  name: 'this form, plain, donation-form.js',
  source: { form: 'plain', script: 'donation-form.js' },
  isScalable: false,
};

export const ALIKE: Subject = {
  name: 'this form, alike',
  source: { form: 'alike', script: 'embed/FORM.js' },
  createSelectors: (amounts) => createFormSelectors(amounts, '[name=country]'),
  clickable: '.tiles label.choice',
  isScalable: false,
};

export const SUBJECTS: readonly Subject[] = [
  HAND_WRITTEN,
  TUNED_LIT,
  PREACT,
  ADYEN,
  PLAIN,
  PLAIN_IN_TWO_REQUESTS,
  ALIKE,
];
