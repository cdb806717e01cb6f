import type { DonationRequest, Outcome } from '@donation-form/core/schemas';
import type { GiftNotice } from '@donation-form/core/i18n';
import { Attempt, type TakeOver } from './idempotency-key.ts';
import { give, outcomeOf, settle, type Reply } from './donations-api.ts';
import { Proof } from './proof-of-work.ts';

/** What came of sending a gift: its outcome, or why there is none yet. */
export type Answer =
  | {
      readonly outcome: Outcome;
      /** It is the gift that was sent before the donor changed something. */ readonly isEarlier: boolean;
    }
  | {
      readonly notice: GiftNotice;
      readonly code: string;
      /** Seconds until another try makes sense. */ readonly wait?: number;
      /** What the server's log calls the request, where the server failed or refused it. */ readonly request?:
        string | undefined;
    };

/** Milliseconds between questions about a gift whose outcome is not known. */
const CHECK_EVERY = [2_000, 3_000, 5_000, 10_000];

/** Ends when no form of this page sends a gift: they are sent one after another. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * The gift that a donor gives with one form. While no final answer is known, every try has the same
 * key.
 */
export class Giving {
  readonly #base: string;
  readonly #attempt: Attempt;
  readonly #proof: Proof;
  /** The key that is asked about: another form may end its attempt meanwhile. */
  #asked: string | undefined;
  /** What the server's log calls the request that was answered by no outcome last. */
  failedRequest: string | undefined;
  #checks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param base the endpoint's address, ending in a slash.
   * @param form the id of the form's definition.
   * @param takeOver hears of the outcome of a gift that another form left with.
   */
  constructor(base: string, form: string, takeOver: TakeOver) {
    this.#base = base;
    this.#attempt = new Attempt(base + form, takeOver);
    this.#proof = new Proof(base, form);
  }

  /** The form is on the page again. */
  resume(): void {
    this.#attempt.claim();
  }

  /** A gift may be sent soon. */
  prepare(): void {
    this.#proof.prepare();
  }

  /** The form has left the page. */
  pause(): void {
    this.rest();
    this.#attempt.release();
  }

  /**
   * Tells the form that has taken the place of this one, which has left the page, what came of the
   * gift; `undefined` where there is none.
   */
  get successor(): TakeOver | undefined {
    return this.#attempt.successor;
  }

  /** The idempotency key of the gift that is given, or was not concluded. */
  get key(): string | undefined {
    return this.#asked ?? this.#attempt.openKey;
  }

  /** The outcome of a gift that was under way when the page was left. */
  async unfinished(): Promise<Outcome | undefined> {
    const key = (this.#asked ??= this.key);
    const reply = key === undefined ? undefined : await outcomeOf(this.#base, key);
    return reply?.kind === 'outcome' ? reply.outcome : undefined;
  }

  /**
   * Asks what became of what the donor was asked to do, or takes the gift back.
   * @returns the outcome; `unknown` where there is no such gift, `no-answer` where nothing can be
   *   said.
   */
  async settle(how: 'confirm' | 'cancel'): Promise<Outcome | 'unknown' | 'no-answer'> {
    this.rest();
    const { key } = this;
    const reply = key === undefined ? undefined : await settle(this.#base, key, how);
    this.failedRequest = reply && 'request' in reply ? reply.request : undefined;
    if (reply?.kind === 'outcome') return reply.outcome;
    return !reply || (reply.kind === 'problem' && reply.code === 'donation-unknown')
      ? 'unknown'
      : 'no-answer';
  }

  send(request: DonationRequest): Promise<Answer> {
    const sent = turn.then(() => this.#send(request));
    turn = sent;
    return sent;
  }

  async #send(request: DonationRequest): Promise<Answer> {
    const key = this.#attempt.key();
    const first = await give(this.#base, key, request, await this.#proof.take());
    const isChallenged = first.kind === 'problem' && first.code === 'challenge-required';
    const proof = isChallenged ? await this.#proof.demand() : undefined;
    const reply = proof === undefined ? first : await give(this.#base, key, request, proof);
    const isEarlier = reply.kind === 'problem' && reply.code === 'idempotency-key-reused';
    return answerOf(isEarlier ? await outcomeOf(this.#base, key) : reply, isEarlier);
  }

  /** Asks for the outcome again and again, until it is another one or the form leaves the page. */
  watch(state: Outcome['state'], then: (outcome: Outcome) => void): void {
    this.rest();
    const wait = CHECK_EVERY[Math.min(this.#checks++, CHECK_EVERY.length - 1)];
    const timer = (this.#timer = setTimeout(
      () =>
        void this.unfinished().then((outcome) => {
          if (timer !== this.#timer) return;
          if (outcome && outcome.state !== state) then(outcome);
          else this.watch(state, then);
        }),
      wait,
    ));
  }

  /** Asks no more. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The outcome is final: the next gift is another one. */
  end(): void {
    this.rest();
    this.#checks = 0;
    this.#asked = undefined;
    this.#attempt.end();
  }
}

function answerOf(reply: Reply, isEarlier: boolean): Answer {
  if (reply.kind === 'outcome') return { outcome: reply.outcome, isEarlier };
  if (reply.kind === 'no-answer')
    return {
      notice: navigator.onLine ? 'no-answer' : 'offline',
      code: 'no-answer',
      request: reply.request,
    };
  const { code, detail, wait, request } = reply;
  if (code === 'definition-changed' || code === 'too-many-requests' || code === 'paused')
    return { notice: code, code, wait };
  if (code === 'challenge-required') return { notice: 'not-charged', code };
  console.error(`donation-form: the endpoint refused the gift (${code}): ${detail}`);
  return { notice: 'refused', code, request };
}
