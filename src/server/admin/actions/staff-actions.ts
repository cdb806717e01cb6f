import type { z } from 'zod';
import type { DonationHistory } from '../../donations/review-options.ts';
import { describeError } from '../../lib/describe-error.ts';
import { parsePeriod } from '../../lib/period.ts';
import { DonorRequests } from '../../privacy/donor-requests.ts';
import { iterateExportLines } from '../../reporting/export-rows.ts';
import { reconcile } from '../../reporting/reconcile.ts';
import type { WebhookSummary } from '../../webhooks/inbound/inbox.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  type DecisionDetail,
  type DonationDetail,
  toDecisionDetail,
  toDonationDetail,
} from '../read-models/donation-detail.ts';
import { listDonations } from '../read-models/donation-list.ts';
import { listReviewItems, toReviewItems } from '../read-models/review-items.ts';
import type { ActionName } from './action-routes.ts';
import {
  backupSchema,
  donationExportSchema,
  donationListSchema,
  donorDeletionSchema,
  donorExportSchema,
  idSchema,
  matchSchema,
  noInputSchema,
  pauseSchema,
  reconciliationSchema,
  redirectSchema,
  referenceSchema,
  resolveAllSchema,
  resolveSchema,
  runJobsSchema,
  settingsReportSchema,
} from './input-schemas.ts';
import {
  findOnlyOrganization,
  formatUnknownOrganization,
  listOrganizations,
  pauseOrResumeOrganization,
} from './organizations.ts';
import { listResolvableEvents, resolveTogether } from './resolve-together.ts';
import { retryDonation } from './retry-donation.ts';
import { ActionError, defineAction } from './staff-action.ts';

const MAX_INBOUND_WEBHOOKS = 100;

export type StaffActions = ReturnType<typeof createStaffActions>;
export type ActionInput<Name extends ActionName> = z.input<StaffActions[Name]['schema']>;
export type ActionOutput<Name extends ActionName> = Awaited<ReturnType<StaffActions[Name]['run']>>;

export function createStaffActions(context: AdminContext) {
  return {
    ...createDonationActions(context),
    ...createReviewActions(context),
    ...createOrganizationActions(context),
    ...createWebhookActions(context),
    ...createReportActions(context),
  } satisfies Record<ActionName, { readonly schema: z.ZodType }>;
}

function createReviewActions(context: AdminContext) {
  const { repository, now } = context;
  return {
    'review.list': defineAction(noInputSchema, async () => ({
      items: await listReviewItems(repository),
    })),
    'review.match': defineAction(matchSchema, async (filter) => {
      const events = await listResolvableEvents(repository, filter, now());
      return { items: await toReviewItems(events, repository) };
    }),
    'review.resolve': defineAction(resolveAllSchema, (command) =>
      resolveTogether(context, command),
    ),
  };
}

function createOrganizationActions(context: AdminContext) {
  return {
    'organizations.list': defineAction(noInputSchema, async () => ({
      items: await listOrganizations(context),
    })),
    'organizations.pause': defineAction(pauseSchema, async (pause) => ({
      result: await pauseOrResumeOrganization(context, 'pause', pause),
    })),
    'organizations.resume': defineAction(pauseSchema, async (pause) => ({
      result: await pauseOrResumeOrganization(context, 'resume', pause),
    })),
  };
}

function createWebhookActions({ inboundWebhooks, outboundWebhooks }: AdminContext) {
  const { inbox } = inboundWebhooks;
  return {
    // The list starts with the webhooks whose hook failed, followed by the latest webhooks.
    'webhooks.inbound.list': defineAction(noInputSchema, async () => ({
      items: (await inbox.listWebhooks(MAX_INBOUND_WEBHOOKS)).map(toInboundWebhookSummary),
    })),
    'webhooks.inbound.show': defineAction(idSchema, async ({ id }) => {
      const row = await inbox.findById(id);
      if (row) return { ...toInboundWebhookSummary(row), format: row.format, body: row.body };
      throw new ActionError(
        404,
        'No inbound webhook has this ID, or the server deleted the webhook after 30 days. To ' +
          'list the webhooks, use GET /api/webhooks/inbound.',
      );
    }),
    'webhooks.failed': defineAction(noInputSchema, async () => ({
      items: await outboundWebhooks.listUndelivered(),
    })),
    'webhooks.retry': defineAction(noInputSchema, async () => ({
      retried: await outboundWebhooks.retryFailedMessages(),
    })),
    'webhooks.redirect': defineAction(redirectSchema, async ({ from, to }) => {
      const redirected = await outboundWebhooks.redirectMessages(from, to);
      if (redirected !== undefined) return { redirected };
      throw new ActionError(
        400,
        `No messages were redirected: ${to} is not a webhook URL in the server's ` +
          'configuration. Add this URL to "webhooks", then restart the server or send it SIGHUP.',
      );
    }),
  };
}

function createReportActions(context: AdminContext) {
  const { repository, organizations, donationServices, database } = context;
  const { ignoredSettingStats, runJobs, log, now } = context;
  const donorRequests = new DonorRequests({ database, log, now });
  return {
    // With SQLite, only the server that has the database file open can run jobs.
    'jobs.run': defineAction(runJobsSchema, async (limits) => {
      const { nextRunAt, ...summary } = await runJobs(limits);
      return { ...summary, nextRunAt: nextRunAt?.toISOString() };
    }),
    'settings.report': defineAction(settingsReportSchema, async ({ days }) => ({
      days,
      items: await ignoredSettingStats.listCounts(days),
    })),
    reconcile: defineAction(reconciliationSchema, ({ organization: id, from, to, ...flags }) => {
      const organization = findOnlyOrganization(id, organizations);
      const donations = donationServices.find(organization.id)!;
      return reconcile(
        { ...flags, period: parsePeriod(from, to, organization.timeZone) },
        { organization, donations, repository, database, log, now },
      );
    }),
    'donors.export': defineAction(donorExportSchema, ({ organization, email }) =>
      donorRequests.exportDonor(findOnlyOrganization(organization, organizations).id, email),
    ),
    'donors.delete': defineAction(donorDeletionSchema, ({ organization, email, by }) =>
      donorRequests.deleteDonor(findOnlyOrganization(organization, organizations).id, email, by),
    ),
    backup: defineAction(backupSchema, async ({ file }) => {
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
  };
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

export interface ResolveResult {
  readonly decision: DecisionDetail;
  /** The updated donation. Undefined if a step failed after the server saved the decision. */
  readonly donation?: DonationDetail;
}

function createDonationActions(context: AdminContext) {
  const { repository, organizations, donationServices, database, log, now } = context;
  const { reviewDecisions, outbox } = repository;

  const findHistory = async (reference: string): Promise<DonationHistory> => {
    const history = await reviewDecisions.findDonationHistory(reference);
    if (history) return history;
    throw new ActionError(
      404,
      `No donation has the reference ${reference}. Enter a reference such as 7K4M9-QXD2P from ` +
        'the receipt, the payment provider, or the platform.',
    );
  };

  const loadDetail = async (history: DonationHistory): Promise<DonationDetail> =>
    toDonationDetail(
      history,
      await reviewDecisions.listDecisions(history.donation.reference),
      now(),
    );

  return {
    'donations.list': defineAction(donationListSchema, async (query) => {
      const list = await listDonations(database.db, query, now());
      const { organization, days } = query;
      const isUnknownOrganization =
        organization !== undefined && list.items.length === 0 && !organizations.find(organization);
      if (isUnknownOrganization)
        throw new ActionError(400, formatUnknownOrganization(organization, organizations));
      return { days, ...list };
    }),

    'donations.export': defineAction(donationExportSchema, ({ organization, from, to }) => {
      const { id, timeZone } = findOnlyOrganization(organization, organizations);
      return iterateExportLines(database.db, id, parsePeriod(from, to, timeZone), timeZone);
    }),

    'donations.show': defineAction(referenceSchema, async ({ reference }) =>
      loadDetail(await findHistory(reference)),
    ),

    'donations.retry': defineAction(referenceSchema, async ({ reference }) => {
      const history = await findHistory(reference);
      return { results: await retryDonation(history, context) };
    }),

    // If a step fails after the decision is saved, the background workers send the updates.
    'donations.resolve': defineAction(resolveSchema, async (command): Promise<ResolveResult> => {
      const decision = await reviewDecisions.applyAndSaveDecision(command);
      try {
        const history = (await reviewDecisions.findDonationHistory(command.reference))!;
        const donation = await loadDetail(history);
        await outbox.makePendingEntriesDue(history.events.map(({ id }) => id));
        donationServices.find(donation.organization)?.wakeWorkers();
        return { donation, decision: toDecisionDetail(decision, history.events) };
      } catch (error) {
        log.error(
          { reference: decision.reference, ...describeError(error) },
          'review decision saved, but a later step failed',
        );
        return { decision: toDecisionDetail(decision, []) };
      }
    }),
  };
}
