import type { PluralForms } from './format-plural.ts';

/** Texts of the fields that only some forms have. Amounts are already formatted. */
export const enOptionalFields = {
  monthlyUpsell: 'A monthly gift helps us plan ahead. Would you rather give {amount} every month?',
  monthlyUpsellAccept: 'Give {amount} every month instead',
  monthlyUpsellAccepted: 'Your gift is now {amount} every month. You can change it above.',

  findProject: 'Find a project',
  projectsFound: { one: '{count} project', other: '{count} projects' } as PluralForms,
  noProjectsFound: 'No projects match “{search}”',
  clearSearch: 'Clear search',
  /** Shows the projects that are not listed at first; `{count}` is their number. */
  moreProjects: 'More projects ({count})',
  goalProgress: '{raised} of {target} raised',
  splitGift: 'Divide my gift among several projects',
  splitHint:
    'Choose the projects. Each project that you leave blank gets an equal share of the rest.',
  splitAmountFor: 'Amount for {project}',
  splitShare: 'gets {amount}',
  splitTotal: '{sum} of {amount} assigned',
  splitRequired: 'Choose at least one project.',
  splitMismatch: 'The amounts add up to {sum}, but your gift is {amount}. Change one of them.',
  splitAmountInvalid: 'Enter the amount as a number, or leave it blank.',
  splitTooSmall: 'Your gift is too small to divide among so many projects. Choose fewer projects.',

  tribute: 'In honor or in memory of someone',
  tributeKinds: { none: 'No', honor: 'In honor', memory: 'In memory' },
  tributeName: 'Name of that person',
  tributeMessage: 'Message',
  tributeNotify: 'Email of someone to notify',
  tributeNotifyHint:
    'We will tell them about your gift and send them your message, but not mention the amount.',
  tributeNameRequired: 'Enter the name of that person.',

  givingAsOrganization: 'I am giving on behalf of an organization',
  organizationName: 'Organization',
  organizationNameRequired: 'Enter the name of the organization.',
  anonymous: 'Do not show my name publicly',
  anonymousHint: '{organization} still knows who you are, and your receipt shows your name.',

  consents: 'Your consent',
  consentRequired: 'Check this box so that we can accept your gift.',

  paymentMethod: 'Payment method',
  /** For payment methods that the organization does not name. */
  paymentMethods: { card: 'Card', bank: 'Bank account', other: 'Other methods' },
  /** Button label for an offline payment. */
  giveOffline: 'Pledge {amount}',
  giveOfflineWithoutAmount: 'Pledge',
  /** Shown under the button for an offline payment. */
  offlineRecipientNote:
    'You are not charged now. Next, we show you how to send your gift to {organization}.',

  yes: 'Yes',
  no: 'No',
  chooseOption: 'Choose an option',
  fieldRequired: 'Fill in “{field}”.',
  numberInvalid: 'Enter a number, such as {example}.',
  integerInvalid: 'Enter a whole number, such as 12.',
  dateInvalid: 'Enter a valid date.',
  urlInvalid: 'Enter a full URL, such as https://example.org.',
};

export type OptionalFieldTexts = typeof enOptionalFields;
