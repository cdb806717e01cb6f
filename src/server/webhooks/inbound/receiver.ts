import { randomBytes } from 'node:crypto';
import { cleanLine } from '@donation-form/core/donor';
import { parseWebhookBody, type WebhookBody } from '@donation-form/platform-clients/fundraising';
import type { Database } from '../../database/database.ts';
import type { InboundWebhookRow } from '../../database/schema.ts';
import { PollingWorker } from '../../jobs/polling-worker.ts';
import { describeError } from '../../lib/describe-error.ts';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { PLATFORMS, type WebhookSource } from '../../organizations/webhook-source.ts';
import { identifyEvent } from './identify-event.ts';
import { WebhookInbox } from './inbox.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/** Milliseconds. Shorter than `LOCK_DURATION`. */
const HOOK_TIMEOUT = 10 * SECOND;
const MAX_ERROR_LENGTH = 300;

export interface WebhookReceiverOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  /** If false, only `donation-form jobs run` calls hooks. */
  readonly hasBackgroundJobs?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
  /** Milliseconds. */
  readonly hookTimeout?: number;
}

/** Never changes a donation, because the platforms do not sign webhooks. */
export class WebhookReceiver {
  readonly inbox: WebhookInbox;
  readonly #options: WebhookReceiverOptions;
  readonly #workers = new Map<string, PollingWorker<InboundWebhookRow>>();
  /** Compared with if no secret is configured, so that the comparison takes the same time. */
  readonly #dummySecret = randomBytes(32).toString('base64url');
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: WebhookReceiverOptions) {
    this.#options = options;
    this.inbox = new WebhookInbox(options.database);
  }

  /** Takes the same time whether or not the organization, source, and secret are known. */
  findSource(organization: string, secret: string): WebhookSource | undefined {
    const sources = this.#options.organizations.find(organization)?.webhookSources ?? [];
    const matches = PLATFORMS.map((name) => sources.find(({ source }) => source === name)).filter(
      (source) => isEqualInConstantTime(secret, source?.secret ?? this.#dummySecret),
    );
    return matches[0];
  }

  /** @throws {InboxFullError} if the inbox has no room. */
  async acceptWebhook(organization: string, source: WebhookSource, body: WebhookBody) {
    const isNew = await this.inbox.insertIfNew({
      ...identifyEvent(organization, source, body),
      organization,
      source: source.source,
      format: body.format,
      body: body.text,
      hasHook: source.hook !== undefined,
    });
    if (isNew && source.hook) this.#wake(organization);
  }

  wakeWorkers(): void {
    if (this.#isStopped) return;
    this.#timer ??= setInterval(() => this.wakeWorkers(), HOUR).unref();
    for (const id of this.#listOrganizationIdsWithHook()) this.#wake(id);
    void this.inbox.deleteExpired().catch((error: unknown) => {
      this.#options.log.error(
        describeError(error),
        'cannot delete expired inbound webhooks; will retry in one hour',
      );
    });
  }

  /** Starts no call after `stop`. @throws {Error} if the database does not respond. */
  async callHooksForDueWebhooks(stop: AbortSignal): Promise<void> {
    await Promise.all(
      this.#listOrganizationIdsWithHook().map((id) => this.#getWorker(id).handleDueRows(stop)),
    );
    await this.inbox.deleteExpired();
  }

  async stopWorkers(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  #wake(organization: string): void {
    if (!this.#isStopped && this.#options.hasBackgroundJobs !== false)
      void this.#getWorker(organization).wake();
  }

  #listOrganizationIdsWithHook(): string[] {
    return this.#options.organizations.all
      .filter(({ webhookSources = [] }) => webhookSources.some(({ hook }) => hook))
      .map(({ id }) => id);
  }

  #getWorker(organization: string): PollingWorker<InboundWebhookRow> {
    const existing = this.#workers.get(organization);
    if (existing) return existing;
    const { database, organizations } = this.#options;
    const { inbox } = this;
    const listSourcesWithHooks = () =>
      (organizations.find(organization)?.webhookSources ?? [])
        .filter(({ hook }) => hook)
        .map(({ source }) => source);
    const worker = new PollingWorker<InboundWebhookRow>({
      ...this.#options,
      organization,
      listDue: (limit) => inbox.listDueWebhooks(organization, listSourcesWithHooks(), limit),
      findNextDueTime: () => inbox.findNextDueTime(organization, listSourcesWithHooks()),
      claim: database.isShared ? (row) => inbox.claimWebhook(row) : undefined,
      handle: (row) => this.#callHook(row),
    });
    this.#workers.set(organization, worker);
    return worker;
  }

  /** After a failed call, postpones only this event by 2, 4, 8 … seconds, up to an hour. */
  async #callHook(row: InboundWebhookRow): Promise<void> {
    const { organizations, log, now } = this.#options;
    const { id, organization, source, kind, format, body } = row;
    const hook = organizations
      .find(organization)
      ?.webhookSources?.find((candidate) => candidate.source === source)?.hook;
    try {
      await this.#runWithTimeout((signal) =>
        hook?.(
          {
            id,
            organization,
            source,
            kind,
            receivedAt: new Date(row.receivedAt),
            payload: parseWebhookBody(body, format),
            body,
          },
          { signal },
        ),
      );
    } catch (error) {
      const retryAt = now() + Math.min(2 ** (row.attempts + 1) * SECOND, HOUR);
      log.warn(
        {
          organization,
          webhook: id,
          kind,
          error: (error as Error | undefined)?.name,
          retryAt: new Date(retryAt).toISOString(),
        },
        'the hook for inbound webhooks failed; will retry later',
      );
      const message = cleanLine(String(error)).slice(0, MAX_ERROR_LENGTH);
      return this.inbox.postponeHookCall(row, message, retryAt);
    }
    await this.inbox.markHandled(row);
  }

  async #runWithTimeout(callHook: (signal: AbortSignal) => unknown): Promise<void> {
    const { hookTimeout = HOOK_TIMEOUT } = this.#options;
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        controller.abort();
        reject(new Error(`the hook took longer than ${hookTimeout / SECOND} seconds`));
      }, hookTimeout);
    });
    try {
      await Promise.race([(async () => callHook(controller.signal))(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
