import { fillPlaceholders, findLanguage, getTextDirection } from '@donation-form/core/i18n';
import type { Donation } from '../database/schema.ts';
import { createLocalizer } from '../lib/localize.ts';
import { findForm, loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import { checkDonorWords, getGreetableName } from './donor-words.ts';
import type { MailComposer, MailRequest } from './mail-composer.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import type { MailContent } from './render-mail.ts';
import { isPaid } from './thank-you.ts';

const DAY = 86_400_000;
/** Per organization. A stranger chooses the recipient and some of the words. */
const MAX_PER_RECIPIENT_AND_DAY = 2;
const MAX_PER_DONOR_AND_DAY = 3;

/** Returns true if the donor named a person whom the server tells once the money is confirmed. */
export function hasPaidTribute(donation: Pick<Donation, 'status' | 'payload'>): boolean {
  return isPaid(donation) && donation.payload.gift.tribute?.notifyEmail !== undefined;
}

export const composeTribute: MailComposer = async (request) => {
  const { donation } = request.context;
  const { tribute } = donation.payload.gift;
  if (!isPaid(donation)) return { reason: 'The donation is not paid.' };
  if (tribute?.notifyEmail === undefined)
    return { reason: 'The email was deleted after the message had been sent, or on request.' };
  if ((await countEarlier(request, 'recipient')) >= MAX_PER_RECIPIENT_AND_DAY)
    return { reason: `This person got ${MAX_PER_RECIPIENT_AND_DAY} such messages within a day.` };
  if ((await countEarlier(request, 'donor')) >= MAX_PER_DONOR_AND_DAY)
    return { reason: `This donor caused ${MAX_PER_DONOR_AND_DAY} such messages within a day.` };
  const words = checkDonorWords(tribute.message ?? '');
  return {
    address: tribute.notifyEmail,
    content: await createTribute(donation, request.organization),
    canUnsubscribe: true,
    omission:
      'problem' in words
        ? `It left out the donor’s words, because they contain ${words.problem}.`
        : undefined,
  };
};

/** Counts messages that were queued within the day before this one, so that servers agree. */
async function countEarlier(
  { message, context: { donation }, db }: MailRequest,
  by: 'recipient' | 'donor',
): Promise<number> {
  const { organization, recipientKey, id, createdAt } = message;
  const { donorKey } = donation;
  const key = by === 'recipient' ? recipientKey : donorKey;
  // Without an email, a donor has an empty key.
  if (!key) return 0;
  const { count } = await db
    .selectFrom('mailMessages')
    .where('mailMessages.organization', '=', organization)
    .where('mailMessages.kind', '=', 'tribute')
    .where('mailMessages.status', 'in', ['pending', 'sent'])
    .where('mailMessages.createdAt', '>', createdAt - DAY)
    .where((build) =>
      build.or([
        build('mailMessages.createdAt', '<', createdAt),
        build.and([
          build('mailMessages.createdAt', '=', createdAt),
          build('mailMessages.id', '<', id),
        ]),
      ]),
    )
    .$if(by === 'recipient', (query) => query.where('mailMessages.recipientKey', '=', key))
    .$if(by === 'donor', (query) =>
      query
        .innerJoin('outbox', 'outbox.id', 'mailMessages.event')
        .innerJoin('donations', 'donations.reference', 'outbox.reference')
        .where('donations.organization', '=', organization)
        .where('donations.donorKey', '=', key),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Tells a person of a donation in their honor or in memory of somebody, without the amount. */
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
    paragraphs: [
      texts.tributeReason,
      ...('text' in words && words.text !== ''
        ? [`${texts.tributeMessage}\n${quote(words.text)}`]
        : []),
    ],
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
