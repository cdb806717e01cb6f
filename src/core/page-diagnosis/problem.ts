import type { ProblemTexts, Recipient } from './form-problem-texts.ts';
import type { PROBLEM_TEXTS } from './problem-texts.ts';

type CauseOf<Name> = Name extends `${infer Cause}/${string}` ? Cause : Name;
export type Cause = CauseOf<keyof typeof PROBLEM_TEXTS>;

/** Problem of a page, in words for the person who pasted the snippet. */
export interface PageProblem {
  readonly cause: Cause;
  readonly headline: string;
  readonly why: string;
  /** What to do, in sentences that begin with a verb. */
  readonly fix: string;
  readonly recipient: Recipient;
}

/** @returns a function that creates a problem from its name and the facts in its texts. */
export function createProblemFactory<Texts extends ProblemTexts>(texts: Texts) {
  return <Name extends keyof Texts & string>(
    name: Name,
    ...facts: Parameters<Texts[Name]>
  ): PageProblem => {
    const [recipient, headline, why, fix] = texts[name]!(...(facts as never[]));
    return { cause: name.split('/')[0] as Cause, headline, why, fix, recipient };
  };
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
