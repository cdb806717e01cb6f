import { fillPlaceholders, findLanguage, getTextDirection } from '@donation-form/core/i18n';
import type { Donation } from '../database/schema.ts';
import { createLocalizer } from '../lib/localize.ts';
import { findForm, loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import { checkDonorWords, getGreetableName } from './donor-words.ts';
import type { MailComposer } from './mail-composer.ts';
import { countMessagesOfDonor, countMessagesToRecipient } from './mail-limits.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import type { MailContent } from './render-mail.ts';
import { isPaid } from './thank-you.ts';

/** Per organization. A stranger chooses the recipient and some of the words. */
const MAX_PER_RECIPIENT_AND_DAY = 2;
const MAX_PER_DONOR_AND_DAY = 3;

/** Returns true if the donor named a person whom the server tells once the money is confirmed. */
export function hasPaidTribute(donation: Pick<Donation, 'status' | 'payload'>): boolean {
  return isPaid(donation) && donation.payload.gift.tribute?.notifyEmail !== undefined;
}

export const composeTribute: MailComposer = async ({ message, context, organization, db }) => {
  const { donation } = context;
  const { tribute } = donation.payload.gift;
  if (!isPaid(donation)) return { reason: 'The donation is not paid.' };
  if (tribute?.notifyEmail === undefined)
    return { reason: 'The email was deleted after the message had been sent, or on request.' };
  if ((await countMessagesToRecipient(db, message)) >= MAX_PER_RECIPIENT_AND_DAY)
    return { reason: `This person got ${MAX_PER_RECIPIENT_AND_DAY} such messages within a day.` };
  const { email } = donation.payload.donor;
  if ((await countMessagesOfDonor(db, message, email)) >= MAX_PER_DONOR_AND_DAY)
    return { reason: `This donor caused ${MAX_PER_DONOR_AND_DAY} such messages within a day.` };
  const words = checkDonorWords(tribute.message ?? '');
  return {
    address: tribute.notifyEmail,
    content: await createTribute(donation, organization),
    canUnsubscribe: true,
    omission:
      'problem' in words
        ? `It left out the donor’s words, because they contain ${words.problem}.`
        : undefined,
  };
};

/** Tells a person of a donation in their honor or in memory of someone, without the amount. */
export async function createTribute(
  { payload }: Donation,
  organization: Pick<Organization, 'forms' | 'mail'>,
): Promise<MailContent> {
  const { mail } = organization;
  const { gift, donor, form } = payload;
  const language = findLanguage(form.language) ?? 'en';
  const { definition } = findForm(organization, form.id)[language];
  const { optionalFields } = await loadTexts(language, definition);
  const texts = MAIL_TEXTS[language];
  const { name } = definition.organization;
  const { kind, name: honoree, message = '' } = gift.tribute!;
  const words = checkDonorWords(message);
  const names: readonly (readonly [label: string, name: string | undefined])[] = [
    [texts.tributeFrom, gift.anonymous ? undefined : getDonorName(donor)],
    [optionalFields.tributeKinds[kind], getGreetableName(honoree)],
  ];
  const subject = fillPlaceholders(texts.tribute, { organization: name });
  return {
    language,
    direction: getTextDirection(language),
    subject,
    organization: name,
    title: subject,
    paragraphs: [texts.tributeReason],
    panel:
      'text' in words && words.text !== ''
        ? { title: texts.tributeMessage, text: quote(words.text) }
        : undefined,
    details: names.flatMap(([label, name]) => (name === undefined ? [] : [[label, name] as const])),
    closing: texts.tributeReply,
    signature: mail ? createLocalizer(language)(mail.signature) : name,
  };
}

/** On one line, so that a stranger cannot imitate the rest of the message. */
function quote(words: string): string {
  return `“${words.replace(/\s+/g, ' ').replace(/[“”„«»"]/g, "'")}”`;
}

function getDonorName({ firstName = '', lastName = '' }: Donation['payload']['donor']) {
  return getGreetableName(`${firstName} ${lastName}`) ?? getGreetableName(firstName);
}
