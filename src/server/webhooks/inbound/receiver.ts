import { randomBytes } from 'node:crypto';
import { cleanLine } from '@donation-form/core/donor';
import { parseWebhookBody, type WebhookBody } from '@donation-form/platform-clients/fundraising';
import type { Logger } from '../../lib/logger.ts';
import { PollingWorker } from '../../jobs/polling-worker.ts';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import type { Organization } from '../../organizations/organization.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { Database } from '../../database/database.ts';
import type { InboundWebhookRow } from '../../database/schema.ts';
import { WebhookInbox } from './inbox.ts';
import { createEventId } from './event-id.ts';
import { PLATFORMS, type PlatformSource } from '../../organizations/webhook-source.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/** How long a hook may take, in milliseconds: less than a server's claim lasts. */
const HOOK_TIME = 10 * SECOND;
const MAX_ERROR_LENGTH = 300;

export interface WebhookReceiverOptions {
  readonly database: Database;
  /** The organisations, as they are configured now. */
  readonly formRegistry: {
    readonly organizations: readonly Organization[];
    organization(id: string): Organization | undefined;
  };
  /** If false, leaves calling hooks to `donation-form jobs run`. */
  readonly hasBackgroundJobs?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
  /** Milliseconds. */
  readonly hookTime?: number;
}

/**
 * What the platforms tell: it is kept, once for each event, and handed to the operator's hook. It
 * never changes a gift.
 */
export class WebhookReceiver {
  readonly box: WebhookInbox;
  readonly #options: WebhookReceiverOptions;
  /** Of organisations with hooks. */
  readonly #workers = new Map<string, PollingWorker<InboundWebhookRow>>();
  /** Takes the place of a secret that there is none of, so that this takes as long. */
  readonly #dummySecret = randomBytes(32).toString('base64url');
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: WebhookReceiverOptions) {
    this.#options = options;
    this.box = new WebhookInbox(options.database, options.now);
  }

  /**
   * The platform that knows a secret of an organisation. It takes the same time whether the
   * organisation, its webhooks or the secret is not there.
   */
  find(organization: string, secret: string): PlatformSource | undefined {
    const sources = this.#options.formRegistry.organization(organization)?.platformWebhooks ?? [];
    const known = PLATFORMS.map((name) => sources.find(({ source }) => source === name)).filter(
      (source) => isEqualInConstantTime(secret, source?.secret ?? this.#dummySecret),
    );
    return known[0];
  }

  /** Keeps an event and lets the hook know. @throws {InboxFullError} */
  async keep(organization: string, source: PlatformSource, read: WebhookBody): Promise<void> {
    const isNew = await this.box.keep({
      ...createEventId(organization, source, read),
      organization,
      source: source.source,
      format: read.format,
      body: read.text,
      hasHook: source.hook !== undefined,
    });
    if (isNew && source.hook) this.#wake(organization);
  }

  /**
   * Goes on with what an earlier run left unfinished, and deletes what is old, now and every hour.
   */
  start(): void {
    const look = (): void => {
      for (const id of this.#listOrganizationsWithHooks()) this.#wake(id);
      void this.box.forgetOld().catch((error: unknown) => {
        this.#options.log.error(
          describeError(error),
          'old webhooks of the platforms could not be deleted',
        );
      });
    };
    look();
    this.#timer = setInterval(look, HOUR).unref();
  }

  /**
   * Calls the hooks for events that are due, and deletes old events.
   * @param stop no call starts once it is aborted.
   * @throws {Error} if the database does not answer.
   */
  async runDue(stop: AbortSignal): Promise<void> {
    await Promise.all(
      this.#listOrganizationsWithHooks().map((id) => this.#getWorker(id).runDue(stop)),
    );
    await this.box.forgetOld();
  }

  /** Ends after the hooks that are under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#workers.values()].map((loop) => loop.stop()));
  }

  #wake(organization: string): void {
    if (!this.#isStopped && this.#options.hasBackgroundJobs !== false)
      void this.#getWorker(organization).wake();
  }

  /** The organisations with hooks, by their ids. */
  #listOrganizationsWithHooks(): string[] {
    return this.#options.formRegistry.organizations
      .filter(({ platformWebhooks = [] }) => platformWebhooks.some(({ hook }) => hook))
      .map(({ id }) => id);
  }

  #getWorker(organization: string): PollingWorker<InboundWebhookRow> {
    const loop = this.#workers.get(organization) ?? this.#createWorker(organization);
    this.#workers.set(organization, loop);
    return loop;
  }

  #createWorker(organization: string): PollingWorker<InboundWebhookRow> {
    const { database, formRegistry } = this.#options;
    const { box } = this;
    const told = () =>
      (formRegistry.organization(organization)?.platformWebhooks ?? [])
        .filter(({ hook }) => hook)
        .map(({ source }) => source);
    return new PollingWorker({
      ...this.#options,
      organization,
      listDue: (limit) => box.due(organization, told(), limit),
      findNextDueTime: () => box.nextDue(organization, told()),
      claim: database.isShared ? (row) => box.claim(row) : undefined,
      handle: (row) => this.#callHook(row),
    });
  }

  /**
   * Hands an event to the hook. Where that fails it waits 2, 4, 8 … seconds, an hour at most, and
   * the others go on.
   */
  async #callHook(row: InboundWebhookRow): Promise<void> {
    const { formRegistry, log, now } = this.#options;
    const { id, organization, source, kind, format, body } = row;
    const hook = formRegistry
      .organization(organization)
      ?.platformWebhooks?.find((one) => one.source === source)?.hook;
    try {
      await this.#runWithTimeout((signal) =>
        hook?.(
          {
            id,
            organization,
            source,
            kind,
            receivedAt: new Date(row.received_at),
            payload: parseWebhookBody(body, format),
            body,
          },
          { signal },
        ),
      );
    } catch (error) {
      const dueAt = now() + Math.min(2 ** (row.attempts + 1) * SECOND, HOUR);
      log.warn(
        {
          organization,
          webhook: id,
          kind,
          error: (error as Error | undefined)?.name,
          retryAt: new Date(dueAt).toISOString(),
        },
        'the hook for webhooks of the platforms failed',
      );
      return this.box.failed(row, cleanLine(String(error)).slice(0, MAX_ERROR_LENGTH), dueAt);
    }
    await this.box.handled(row);
  }

  async #runWithTimeout(work: (signal: AbortSignal) => unknown): Promise<void> {
    const { hookTime = HOOK_TIME } = this.#options;
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        late.abort();
        reject(new Error(`the hook took longer than ${hookTime / SECOND} seconds`));
      }, hookTime);
    });
    try {
      await Promise.race([(async () => work(late.signal))(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
