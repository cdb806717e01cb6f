import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { OneTimeTokenRow } from '../../database/schema.ts';
import { describeError } from '../../lib/describe-error.ts';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import { buildStaffLink } from '../../staff/staff-links.ts';
import type { AdminContext } from '../admin-context.ts';
import { hashBrowserToken } from './sessions.ts';

/** In milliseconds. */
const LINK_LIFETIME = 1_800_000;
const CODE_DIGITS = 6;

/** What a link's token stores. */
interface LinkData {
  /** Hash of the token of the browser that asked for the link. */
  readonly browser: string;
  /** Shown in that browser. */
  readonly code: string;
  /** Path of the page to open. */
  readonly returnTo: string;
}

interface LinkRequest {
  readonly email: string;
  /** Token of the browser that asks. */
  readonly browserToken: string;
  readonly returnTo: string;
}

/** Mails links with which people sign in. */
export class SignInLinks {
  readonly #context: Pick<AdminContext, 'staff' | 'oneTimeTokens' | 'staffMail' | 'log'>;
  readonly #key: string;
  readonly #adminUrl: string;

  /** @param key secret from which the codes derive. */
  constructor(
    context: Pick<AdminContext, 'staff' | 'oneTimeTokens' | 'staffMail' | 'log'>,
    key: string,
    adminUrl: string,
  ) {
    this.#context = context;
    this.#key = key;
    this.#adminUrl = adminUrl;
  }

  /**
   * Sends a link if a person has this email. Starts after the response, whose time therefore does
   * not reveal whether someone has.
   */
  requestLink(request: LinkRequest): void {
    const { log } = this.#context;
    void setImmediate()
      .then(() => this.#sendLink(request))
      .catch((error: unknown) => log.error(describeError(error), 'cannot send a sign-in link'));
  }

  /** Derives the code that a browser shows, so that nothing is stored before the response. */
  deriveCode(browserToken: string): string {
    const hash = createHmac('sha256', this.#key).update(`code ${browserToken}`).digest();
    return String(hash.readUInt32BE() % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
  }

  async #sendLink({ email, browserToken, returnTo }: LinkRequest): Promise<void> {
    const { staff, oneTimeTokens, staffMail } = this.#context;
    const person = await staff.findByEmail(email);
    if (!person) return;
    const data: LinkData = {
      browser: hashBrowserToken(browserToken),
      code: this.deriveCode(browserToken),
      returnTo,
    };
    const token = await oneTimeTokens.create({
      purpose: 'sign-in',
      person: person.id,
      data,
      lifetime: LINK_LIFETIME,
    });
    await staffMail.send(person, {
      subject: 'Sign in to the donation admin pages',
      title: 'Sign in to the admin pages',
      paragraphs: [
        'Open this link in the browser in which you asked for it. It works once, for 30 minutes.',
      ],
      link: { label: 'Sign in', url: buildStaffLink(this.#adminUrl, 'sign-in', token) },
      closing:
        'If you did not ask for this link, ignore this message. Never give the link, or a code, to anybody.',
    });
  }
}

const readLinkData = ({ data }: OneTimeTokenRow): LinkData => JSON.parse(data ?? '{}') as LinkData;

/** Returns true in the browser that asked for the link. */
export function isAskingBrowser(link: OneTimeTokenRow, browserToken: string): boolean {
  return isEqualInConstantTime(readLinkData(link).browser, hashBrowserToken(browserToken));
}

export function isCodeOf(link: OneTimeTokenRow, code: string): boolean {
  return isEqualInConstantTime(readLinkData(link).code, code);
}

export const getReturnPath = (link: OneTimeTokenRow): string => readLinkData(link).returnTo;
