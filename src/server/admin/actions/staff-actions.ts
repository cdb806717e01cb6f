import type { z } from 'zod';
import type { MailMessageRow } from '../../database/schema.ts';
import { findDonorKey } from '../../donations/donor-index.ts';
import { type DonationHistory, InvalidDecisionError } from '../../donations/review-options.ts';
import { describeError } from '../../lib/describe-error.ts';
import { InvalidPeriodError, parsePeriod } from '../../lib/period.ts';
import { deleteDonor, exportDonor } from '../../privacy/donor-requests.ts';
import {
  ReceiptChangeError,
  requestCorrection,
  voidReceipt,
} from '../../receipts/receipt-changes.ts';
import { formatReceiptNumber } from '../../receipts/receipt-number.ts';
import { iterateReceiptLines } from '../../receipts/receipt-rows.ts';
import { iterateExportLines } from '../../reporting/export-rows.ts';
import { reconcile } from '../../reporting/reconcile.ts';
import type { Actor } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import { LastAdministratorError } from '../../staff/staff-repository.ts';
import type { WebhookSummary } from '../../webhooks/inbound/inbox.ts';
import {
  type ActorContext,
  createActorContext,
  listReadableOrganizations,
} from '../access/actor-context.ts';
import type { AdminContext } from '../admin-context.ts';
import { toAuditItem, toAuditQuery } from '../read-models/audit-items.ts';
import {
  type DecisionDetail,
  type DonationDetail,
  toDecisionDetail,
  toDonationDetail,
} from '../read-models/donation-detail.ts';
import { listDonations } from '../read-models/donation-list.ts';
import { loadReceiptList } from '../read-models/receipt-list.ts';
import { listReviewItems, toReviewItems } from '../read-models/review-items.ts';
import { loadStatement } from '../read-models/statement.ts';
import { ActionError, formatIssuesOnOneLine } from './action-error.ts';
import { ACTION_ROUTES, type ActionName } from './action-routes.ts';
import { describeChange, describeIntent, isAudited } from './audit-description.ts';
import { cancelGiftAid, claimGiftAid, findGiftAidCancellation } from './gift-aid.ts';
import {
  auditQuerySchema,
  backupSchema,
  donationExportSchema,
  donationListSchema,
  donorDeletionSchema,
  donorExportSchema,
  giftAidCancellationSchema,
  idSchema,
  invitationSchema,
  mailPauseSchema,
  mailTestSchema,
  matchSchema,
  noInputSchema,
  organizationSchema,
  pauseSchema,
  receiptCorrectionSchema,
  receiptExportSchema,
  receiptListSchema,
  receiptVoidSchema,
  reconciliationSchema,
  redirectSchema,
  referenceSchema,
  resolveAllSchema,
  resolveSchema,
  rolesSchema,
  runJobsSchema,
  settingsReportSchema,
  statementSchema,
  tokenSchema,
} from './input-schemas.ts';
import {
  blockRecipient,
  pauseMail,
  resendFailedMail,
  resumeMail,
  unblockRecipient,
} from './mail.ts';
import {
  findOnlyOrganization,
  formatUnknownOrganization,
  listOrganizations,
  pauseOrResumeOrganization,
} from './organizations.ts';
import { listResolvableEvents, resolveTogether } from './resolve-together.ts';
import { retryDonation } from './retry-donation.ts';
import { sendTestMail } from './send-test-mail.ts';
import { inviteStaff, listStaff, removeStaff, setStaffRoles } from './staff.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

const MAX_INBOUND_WEBHOOKS = 100;

/**
 * An action of the staff, the same for the admin API, the admin pages, and the command. `run` throws
 * {@link ActionError} if the action is not possible.
 */
function defineAction<Schema extends z.ZodType, Output>(
  schema: Schema,
  run: (input: z.output<Schema>, context: ActorContext) => Output,
) {
  return { schema, run };
}

type StaffActions = typeof STAFF_ACTIONS;
export type ActionInput<Name extends ActionName> = z.input<StaffActions[Name]['schema']>;
export type ActionOutput<Name extends ActionName> = Awaited<ReturnType<StaffActions[Name]['run']>>;

/**
 * @throws {ActionError} if the actor lacks the permission, the input is invalid, or the action is
 * not possible.
 */
export async function performAction<Name extends ActionName>(
  name: Name,
  input: object,
  actor: Actor,
  context: AdminContext,
): Promise<ActionOutput<Name>> {
  const actorContext = createActorContext(context, actor, ACTION_ROUTES[name].permission);
  const { schema, run } = STAFF_ACTIONS[name] as ReturnType<
    typeof defineAction<z.ZodObject, unknown>
  >;
  const isSigned = 'by' in schema.shape && actor.name !== '';
  const { data, error: issues } = schema.safeParse(isSigned ? { ...input, by: actor.name } : input);
  if (issues) throw new ActionError(400, formatIssuesOnOneLine(issues));
  try {
    return (await recordAction(name, data, actorContext, () =>
      run(data, actorContext),
    )) as ActionOutput<Name>;
  } catch (cause) {
    if (cause instanceof LastAdministratorError)
      throw new ActionError(409, cause.message, { cause });
    if (cause instanceof InvalidDecisionError) throw new ActionError(409, cause.message, { cause });
    if (cause instanceof ReceiptChangeError) throw new ActionError(409, cause.message, { cause });
    if (cause instanceof InvalidPeriodError) throw new ActionError(400, cause.message, { cause });
    throw cause;
  }
}

/** Runs an action, and writes its intent and its result to the audit log. */
async function recordAction(
  name: ActionName,
  input: object & { readonly by?: unknown },
  context: ActorContext,
  run: () => unknown,
): Promise<unknown> {
  if (!isAudited(name)) return run();
  const { actor, auditLog } = context;
  const signature = typeof input.by === 'string' ? input.by : actor.name;
  const entry = await auditLog.begin({
    ...(await describeIntent(input, context, name)),
    actor: { ...actor, name: signature },
    action: name,
  });
  let output: object;
  try {
    output = (await run()) as object;
  } catch (error) {
    // Without a result, the entry still shows the attempt.
    await auditLog.finish(entry, 'failed').catch(() => undefined);
    throw error;
  }
  if (Symbol.asyncIterator in output)
    return recordEnd(output as AsyncIterable<unknown>, (result) => auditLog.finish(entry, result));
  await auditLog.finish(entry, 'done', describeChange(name, input, output));
  return output;
}

/** Yields the lines of an output, and reports whether the reader got them all. */
async function* recordEnd<Line>(
  lines: AsyncIterable<Line>,
  finish: (result: 'done' | 'failed') => Promise<void>,
): AsyncGenerator<Line> {
  let result: 'done' | 'failed' = 'failed';
  try {
    yield* lines;
    result = 'done';
  } finally {
    await finish(result);
  }
}

export interface ResolveResult {
  readonly decision: DecisionDetail;
  /** The updated donation. Undefined if a step failed after the server saved the decision. */
  readonly donation?: DonationDetail;
}

export const STAFF_ACTIONS = {
  'donations.list': defineAction(donationListSchema, async (query, context) => {
    const { database, organizations, now } = context;
    const { organization, days } = query;
    const readable = listReadableOrganizations(context, organization);
    const list = await listDonations(database.db, query, readable, now());
    const isUnknownOrganization =
      organization !== undefined && list.items.length === 0 && !organizations.find(organization);
    if (isUnknownOrganization)
      throw new ActionError(400, formatUnknownOrganization(organization, organizations));
    return { days, ...list };
  }),

  'donations.export': defineAction(
    donationExportSchema,
    ({ organization, from, to }, { database, organizations }) => {
      const { id, timeZone } = findOnlyOrganization(organization, organizations);
      return iterateExportLines(database.db, id, parsePeriod(from, to, timeZone), timeZone);
    },
  ),

  'donations.show': defineAction(referenceSchema, async ({ reference }, context) =>
    loadDetail(await findHistory(reference, context), context),
  ),

  'donations.retry': defineAction(referenceSchema, async ({ reference }, context) => ({
    results: await retryDonation(await findHistory(reference, context), context),
  })),

  'donations.resend': defineAction(referenceSchema, async ({ reference }, context) => {
    const { events } = await findHistory(reference, context);
    const { outboundMail } = context;
    const messages = selectResendable(
      await outboundMail.queue.listMessagesAbout(
        events.filter((event) => event.reference === reference),
      ),
    );
    if (messages.length === 0)
      throw new ActionError(
        400,
        `The donor of ${reference} has received no message that could be sent again.`,
      );
    const resent = await outboundMail.resendMessages(messages);
    if (resent > 0) return { resent };
    throw new ActionError(
      409,
      'The message is about to be sent, or was sent within the last minute. Try again in a minute.',
    );
  }),

  // If a step fails after the decision is saved, the background workers send the updates.
  'donations.resolve': defineAction(
    resolveSchema,
    async (command, context): Promise<ResolveResult> => {
      const { reviewDecisions, outbox } = context.repository;
      await findHistory(command.reference, context);
      const decision = await reviewDecisions.applyAndSaveDecision(command);
      try {
        const history = (await reviewDecisions.findDonationHistory(command.reference))!;
        const donation = await loadDetail(history, context);
        await outbox.makePendingEntriesDue(history.events.map(({ id }) => id));
        context.donationServices.find(donation.organization)?.wakeWorkers();
        return { donation, decision: toDecisionDetail(decision, history.events) };
      } catch (error) {
        context.log.error(
          { reference: decision.reference, ...describeError(error) },
          'review decision saved, but a later step failed',
        );
        return { decision: toDecisionDetail(decision, []) };
      }
    },
  ),

  'gift-aid.cancel': defineAction(giftAidCancellationSchema, async (command, context) => {
    const { donation } = await findHistory(command.reference, context);
    return cancelGiftAid(donation, command, context);
  }),
  'gift-aid.claim': defineAction(donationExportSchema, claimGiftAid),
  'receipts.list': defineAction(receiptListSchema, ({ organization: id, ...query }, context) =>
    loadReceiptList(findOnlyOrganization(id, context.organizations), query, context),
  ),
  'receipts.export': defineAction(
    receiptExportSchema,
    ({ organization: id, year }, { database, organizations }) =>
      iterateReceiptLines(database.db, findOnlyOrganization(id, organizations).id, year),
  ),
  'receipts.correct': defineAction(
    receiptCorrectionSchema,
    async ({ name, addressLines, ...correction }, context) => {
      const { database, receipts } = context;
      const donor = { name, addressLines };
      await findHistory(correction.reference, context);
      const corrected = await requestCorrection(database, { ...correction, donor });
      receipts.wakeAllWorkers();
      return { corrected };
    },
  ),
  'receipts.void': defineAction(receiptVoidSchema, async (input, context) => {
    const { database, outboundMail } = context;
    await findHistory(input.reference, context);
    const receipt = await voidReceipt(database, input, outboundMail.receiptMessages);
    outboundMail.wakeWorker(receipt.organization);
    return { voided: formatReceiptNumber(receipt) };
  }),
  'statements.show': defineAction(
    statementSchema,
    async ({ organization: id, email, ...year }, context) => {
      const organization = findOnlyOrganization(id, context.organizations);
      const donorKey = await findDonorKey(context.database, organization.id, email);
      if (donorKey === undefined)
        throw new ActionError(
          409,
          'The server is still indexing donations by donor. Try again in a minute.',
        );
      const statement = await loadStatement(organization, { donorKey, ...year }, context);
      if (!statement)
        throw new ActionError(
          404,
          'No valid receipt confirms a donation by this donor in this year.',
        );
      const { mediaType, content } = await context.receiptRenderer.render(
        statement.document,
        organization.receipts,
      );
      const base64 = Buffer.from(content).toString('base64');
      return { table: statement.document.table!, mediaType, base64 };
    },
  ),

  'review.list': defineAction(noInputSchema, async (_input, context) => ({
    items: await listReviewItems(context.repository, listReadableOrganizations(context, undefined)),
  })),
  'review.match': defineAction(matchSchema, async (filter, context) => {
    const events = await listResolvableEvents(filter, context);
    return { items: await toReviewItems(events, context.repository) };
  }),
  'review.resolve': defineAction(resolveAllSchema, (command, context) =>
    resolveTogether(context, command),
  ),

  'organizations.list': defineAction(noInputSchema, async (_input, context) => ({
    items: await listOrganizations(context),
  })),
  'organizations.pause': defineAction(pauseSchema, async (pause, context) => ({
    result: await pauseOrResumeOrganization(context, 'pause', pause),
  })),
  'organizations.resume': defineAction(pauseSchema, async (pause, context) => ({
    result: await pauseOrResumeOrganization(context, 'resume', pause),
  })),

  'mail.pause': defineAction(mailPauseSchema, async (pause, context) => ({
    result: await pauseMail(pause, context),
  })),
  'mail.resume': defineAction(mailPauseSchema, async (pause, context) => ({
    result: await resumeMail(pause, context),
  })),
  'mail.resend': defineAction(organizationSchema, resendFailedMail),
  'mail.block': defineAction(donorDeletionSchema, async (recipient, context) => ({
    result: await blockRecipient(recipient, context),
  })),
  'mail.unblock': defineAction(donorDeletionSchema, async (recipient, context) => ({
    result: await unblockRecipient(recipient, context),
  })),
  'mail.test': defineAction(mailTestSchema, (test, context) => sendTestMail(test, context)),

  // The list starts with the webhooks whose hook failed, followed by the latest webhooks.
  'webhooks.inbound.list': defineAction(noInputSchema, async (_input, { inboundWebhooks }) => {
    const webhooks = await inboundWebhooks.inbox.listWebhooks(MAX_INBOUND_WEBHOOKS);
    return { items: webhooks.map(toInboundWebhookSummary) };
  }),
  'webhooks.inbound.show': defineAction(idSchema, async ({ id }, { inboundWebhooks }) => {
    const row = await inboundWebhooks.inbox.findById(id);
    if (row) return { ...toInboundWebhookSummary(row), format: row.format, body: row.body };
    throw new ActionError(
      404,
      'No inbound webhook has this ID, or the server deleted the webhook after 30 days. To ' +
        'list the webhooks, use GET /api/webhooks/inbound.',
    );
  }),
  'webhooks.failed': defineAction(noInputSchema, async (_input, { outboundWebhooks }) => ({
    items: await outboundWebhooks.listUndelivered(),
  })),
  'webhooks.retry': defineAction(noInputSchema, async (_input, { outboundWebhooks }) => ({
    retried: await outboundWebhooks.retryFailedMessages(),
  })),
  'webhooks.redirect': defineAction(redirectSchema, async ({ from, to }, { outboundWebhooks }) => {
    const redirected = await outboundWebhooks.redirectMessages(from, to);
    if (redirected !== undefined) return { redirected };
    throw new ActionError(
      400,
      `No messages were redirected: ${to} is not a webhook URL in the server's ` +
        'configuration. Add this URL to "webhooks", then restart the server or send it SIGHUP.',
    );
  }),

  // With SQLite, only the server that has the database file open can run jobs.
  'jobs.run': defineAction(runJobsSchema, async (limits, { runJobs }) => {
    const { nextRunAt, ...summary } = await runJobs(limits);
    return { ...summary, nextRunAt: nextRunAt?.toISOString() };
  }),
  'settings.report': defineAction(
    settingsReportSchema,
    async ({ days }, { ignoredSettingStats, organizations, permitted }) => {
      const items = await ignoredSettingStats.listCounts(days);
      // The server also reports on forms that are no longer configured.
      if (permitted === ALL_ORGANIZATIONS) return { days, items };
      return { days, items: items.filter(({ form }) => organizations.findForm(form)) };
    },
  ),
  reconcile: defineAction(
    reconciliationSchema,
    ({ organization: id, from, to, ...flags }, context) => {
      const organization = findOnlyOrganization(id, context.organizations);
      const donations = context.donationServices.find(organization.id)!;
      const period = parsePeriod(from, to, organization.timeZone);
      return reconcile({ ...flags, period }, { ...context, organization, donations });
    },
  ),
  'staff.list': defineAction(noInputSchema, async (_input, context) => ({
    people: await listStaff(context),
  })),
  'staff.invite': defineAction(invitationSchema, inviteStaff),
  'staff.set-roles': defineAction(rolesSchema, setStaffRoles),
  'staff.remove': defineAction(idSchema, removeStaff),
  'tokens.list': defineAction(noInputSchema, async (_input, context) => ({
    tokens: await listTokens(context),
  })),
  'tokens.create': defineAction(tokenSchema, createToken),
  'tokens.revoke': defineAction(idSchema, revokeToken),
  'audit.list': defineAction(auditQuerySchema, async (query, context) => ({
    items: (await context.auditLog.listEntries(toAuditQuery(query, context))).map(toAuditItem),
  })),
  'donors.export': defineAction(donorExportSchema, ({ organization: id, email }, context) => {
    const organization = findOnlyOrganization(id, context.organizations).id;
    return exportDonor({ organization, email }, context);
  }),
  'donors.delete': defineAction(donorDeletionSchema, ({ organization: id, email, by }, context) => {
    const organization = findOnlyOrganization(id, context.organizations).id;
    return deleteDonor({ organization, email, by }, context);
  }),
  backup: defineAction(backupSchema, async ({ file }, { database }) => {
    if (!database.copy)
      throw new ActionError(
        400,
        'This command does not back up PostgreSQL databases. Use pg_dump or WAL archiving, as ' +
          'described in docs/server/backups.md.',
      );
    return database.copy(file).catch((cause: unknown) => {
      throw new ActionError(400, (cause as Error).message, { cause });
    });
  }),
} satisfies Record<ActionName, { readonly schema: z.ZodType }>;

/**
 * If a message was not sent, only that one is sent again. The email of a sent tribute message has
 * been deleted.
 */
function selectResendable(messages: readonly MailMessageRow[]): readonly MailMessageRow[] {
  const unsent = messages.filter(({ status }) => status === 'failed' || status === 'canceled');
  return unsent.length > 0 ? unsent : messages.filter(({ kind }) => kind !== 'tribute');
}

async function findHistory(
  reference: string,
  { repository, isPermitted }: ActorContext,
): Promise<DonationHistory> {
  const history = await repository.reviewDecisions.findDonationHistory(reference);
  if (history && isPermitted(history.donation.organization)) return history;
  throw new ActionError(
    404,
    `No donation has the reference ${reference}. Enter a reference such as 7K4M9-QXD2P from ` +
      'the receipt, the payment provider, or the platform.',
  );
}

async function loadDetail(
  history: DonationHistory,
  context: AdminContext,
): Promise<DonationDetail> {
  const { repository, now } = context;
  const { reference } = history.donation;
  const decisions = await repository.reviewDecisions.listDecisions(reference);
  const cancellation = await findGiftAidCancellation(history.donation, context);
  return toDonationDetail(history, decisions, cancellation, now());
}

/** Converts an inbound webhook, without its body, for the admin API. Times are ISO 8601. */
function toInboundWebhookSummary(webhook: WebhookSummary) {
  const { id, organization, source, kind, status, attempts: failures, lastError } = webhook;
  return {
    id,
    organization,
    source,
    kind,
    receivedAt: new Date(webhook.receivedAt).toISOString(),
    status,
    failures,
    lastError,
    nextRetryAt: status === 'pending' ? new Date(webhook.nextRunAt).toISOString() : null,
  };
}
