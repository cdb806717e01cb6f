import type { PluralForms } from './format.ts';

/** Texts of the fields that only some forms have. Amounts in placeholders are already formatted. */
export const enOptionalFields = {
  /** Button that shows the less common frequencies. */
  moreFrequencies: 'More',

  monthlyUpsell: 'Could you give {amount} a month instead? Monthly donations help us plan ahead.',
  /** Instead of `monthlyUpsell` if the suggested monthly amount has a description, `{impact}`. */
  monthlyUpsellImpact: 'What {amount} a month does: {impact}',
  monthlyUpsellAccept: 'Yes, give {amount} a month',
  monthlyUpsellAccepted: 'Thank you! Your donation is now {amount} a month.',

  findProject: 'Find a project',
  projectsFound: { one: '{count} project', other: '{count} projects' } as PluralForms,
  noProjectsFound: 'No projects match “{search}”',
  clearSearch: 'Clear search',
  moreProjects: 'More projects ({count})',
  goalProgress: '{raised} of {target} raised',
  splitGift: 'Support more than one project',
  splitHint: 'Choose projects and amounts. Leave an amount blank to split the rest evenly.',
  splitAmountFor: 'Amount for {project}',
  splitShare: '{amount}',
  splitTotal: '{sum} of {amount} assigned',
  splitRequired: 'Choose at least one project.',
  splitMismatch:
    'The amounts add up to {sum}, but your donation is {amount}. Change the amounts or your donation.',
  splitAmountInvalid: 'Enter the amount as a number, or leave it blank.',
  splitTooSmall:
    'Your donation is too small to split among so many projects. Choose fewer projects.',

  tribute: 'Dedicate this donation',
  tributeKinds: { none: 'No dedication', honor: 'In honor of', memory: 'In memory of' },
  tributeName: 'Their name',
  tributeMessage: 'Message',
  tributeNotify: 'Email of the person to tell',
  tributeNotifyHint: '{organization} can pass your message on to them.',
  /** Instead of `tributeNotifyHint` if the server sends the message. */
  tributeMailHint:
    'As soon as your payment arrives, {organization} will email them your message, but not the amount.',
  tributeNameRequired: 'Enter their name.',

  givingAsOrganization: "I'm giving on behalf of an organization",
  organizationName: 'Organization',
  organizationNameRequired: 'Enter the name of the organization.',
  anonymous: 'Give anonymously',
  anonymousHint:
    "Your name won't be published, but {organization} will see it, and it will appear on your receipt.",

  /** Name of the tax relief, which is not translated. */
  giftAid: 'Gift Aid',
  giftAidOffer: 'Add 25p to every £1 with Gift Aid',
  giftAidBoost: 'If you pay UK tax, your {amount} becomes {boosted}.',
  /** On the thank-you screen, if the donor declared Gift Aid. */
  giftAidThanks: 'With Gift Aid, your {amount} becomes {boosted} for {organization}.',
  giftAidScope: 'Donations with Gift Aid',
  giftAidScopes: {
    single: 'Only this donation',
    all: 'This donation, all future donations, and those of the past 4 years',
  },
  giftAidAddress: 'Enter your home address in the UK, not an address at work.',
  giftAidHouse: 'House name or number',
  giftAidPostcode: 'Home postcode',
  giftAidHouseRequired: 'Enter the name or number of your home.',
  giftAidPostcodeInvalid: 'Enter the UK postcode of your home, such as SW1A 1AA.',

  consents: 'Your consent',
  consentRequired: 'Please check this box to continue.',

  paymentMethod: 'Payment method',
  /** Labels of payment providers that the organization does not name, and of Stripe's methods. */
  paymentMethods: { card: 'Card', bank: 'Bank account', other: 'More ways to give' },
  /** Button label for an offline payment. */
  giveOffline: 'Get payment instructions',
  offlineRecipientNote:
    "You won't be charged now. Next, we'll show you how to send your donation to {organization}.",

  yes: 'Yes',
  no: 'No',
  chooseOption: 'Choose an option',
  fieldRequired: '“{field}” is required.',
  numberInvalid: 'Enter a number, such as {example}.',
  integerInvalid: 'Enter a whole number, such as 12.',
  dateInvalid: 'Enter a valid date.',
  urlInvalid: 'Enter a full URL, such as https://example.org.',
};

export type OptionalFieldTexts = typeof enOptionalFields;
