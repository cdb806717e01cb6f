import type { Plural } from './en-sending.ts';

/**
 * The texts of what only some forms ask for, in English. What stands in braces is filled in;
 * amounts arrive formatted.
 */
export const enMore = {
  nudge: 'A monthly gift lets us plan ahead. Would {amount} every month suit you better?',
  nudgeAccept: 'Give {amount} every month instead',
  nudgeDone: 'Your gift is now {amount} every month. You can change it above.',

  findProject: 'Find a project',
  projectsFound: { one: '{count} project', other: '{count} projects' } as Plural,
  noProject: 'No project has these words in its name.',
  goal: '{raised} of {target} raised',
  split: 'Divide my gift over several projects',
  splitHint: 'Choose the projects. A part that you leave empty gets an equal share of the rest.',
  partFor: 'Part for {project}',
  shareOfRest: 'gets {amount}',
  splitSum: '{sum} of {amount} divided',
  splitMissing: 'Choose at least one project.',
  splitWrong: 'The parts come to {sum}, and your gift is {amount}. Change a part or the amount.',
  splitNoAmount: 'Write the part with digits, or leave it empty.',
  splitTooSmall: 'Your gift is too small for so many parts. Choose fewer projects.',

  tribute: 'In honour or in memory of somebody',
  tributeKinds: { none: 'No', honor: 'In honour', memory: 'In memory' },
  tributeName: 'Whose name',
  tributeMessage: 'Message',
  tributeNotify: 'E-mail of somebody we should tell',
  tributeNotifyHint: 'They learn of your gift and your message, not of the amount.',
  tributeNameMissing: 'Write the name.',

  organization: 'I give for an organisation',
  organizationName: 'Organisation',
  organizationMissing: 'Write the name of the organisation.',
  anonymous: 'Do not make my name public',
  anonymousHint: '{organization} still knows who you are, and your receipt bears your name.',

  consents: 'Please read',
  consentMissing: 'Without this we cannot take your gift.',

  howToPay: 'How you pay',
  /** Ways to pay to which the organisation gives no name. */
  ways: { card: 'Card', bank: 'Bank account', other: 'Other ways' },
  /** Stands under the button where nothing is paid here. */
  promiseOnly: 'Your gift goes to {organization}.',

  yes: 'Yes',
  no: 'No',
  choose: 'Please choose',
  fieldMissing: 'Fill in “{field}”.',
  notANumber: 'Write a number with digits, such as {example}.',
  notAWholeNumber: 'Write a whole number with digits, such as 12.',
  notADate: 'Write a date that exists.',
  notALink: 'Write a whole web address, such as https://example.org.',
};

/** The texts that a language must have; one that is missing does not compile. */
export type MoreTexts = typeof enMore;
