export type Cause =
  | 'blocked-by-policy'
  | 'curly-quotes'
  | 'element-missing'
  | 'file-page'
  | 'form-covered'
  | 'form-hidden'
  | 'form-not-found'
  | 'insecure-page'
  | 'integrity-mismatch'
  | 'invalid-endpoint'
  | 'mixed-content'
  | 'no-cors'
  | 'no-response'
  | 'not-an-endpoint'
  | 'offline'
  | 'origin-not-allowed'
  | 'paused'
  | 'payment-failed'
  | 'sandboxed-page'
  | 'script-bundled'
  | 'script-delayed'
  | 'script-failed'
  | 'script-missing'
  | 'script-no-response'
  | 'script-not-a-module'
  | 'script-not-found'
  | 'server-error'
  | 'snippet-as-text'
  | 'snippet-inactive'
  | 'snippet-missing'
  | 'stale-script'
  | 'two-versions';

export type Recipient = 'author' | 'website' | 'server';

/** Problem of a page, in words for the person who pasted the snippet. */
export interface PageProblem {
  readonly cause: Cause;
  readonly headline: string;
  readonly why: string;
  /** What to do, in sentences that begin with a verb. */
  readonly fix: string;
  readonly recipient: Recipient;
}

const RECIPIENT_LABELS: Readonly<Record<Recipient, string>> = {
  author:
    'Fix this where you pasted the snippet, or send this message to the person who manages your ' +
    'website:',
  website: 'Send this message to the person who manages your website:',
  server: 'Send this message to the administrator of the donation server:',
};

export function describeRecipient({ recipient }: PageProblem): string {
  return RECIPIENT_LABELS[recipient];
}

/** Writes the text that a page's author sends to the person who can fix a problem. */
export function writeSupportRequest(
  { cause, headline, why, fix }: PageProblem,
  pageUrl: string,
): string {
  return [
    `The donation form on ${pageUrl} does not work for visitors.`,
    `Cause: ${headline} ${why}`,
    `Fix: ${fix}`,
    `Diagnosis: ${cause}`,
  ].join('\n');
}
