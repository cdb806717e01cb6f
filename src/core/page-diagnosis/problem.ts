import { PROBLEM_TEXTS } from './problem-texts.ts';

type Recipient = keyof typeof PROBLEM_TEXTS;
type Texts = (typeof PROBLEM_TEXTS)['author'] &
  (typeof PROBLEM_TEXTS)['website'] &
  (typeof PROBLEM_TEXTS)['server'];
type CauseOf<Name> = Name extends `${infer Cause}/${string}` ? Cause : Name;
export type Cause = CauseOf<keyof Texts>;

/** Problem of a page, in words for the person who pasted the snippet. */
export interface PageProblem {
  readonly cause: Cause;
  readonly headline: string;
  readonly why: string;
  /** What to do, in sentences that begin with a verb. */
  readonly fix: string;
  readonly recipient: Recipient;
}

/** @param facts what the problem's texts mention. */
export function createProblem<Name extends keyof Texts>(
  name: Name,
  ...facts: Parameters<Texts[Name]>
): PageProblem {
  const [recipient, texts] = Object.entries(PROBLEM_TEXTS).find(([, texts]) =>
    Object.hasOwn(texts, name),
  )! as [Recipient, Texts];
  const createTexts = texts[name] as (...facts: unknown[]) => ReturnType<Texts[Name]>;
  const [headline, why, fix] = createTexts(...facts);
  return { cause: name.split('/')[0] as Cause, headline, why, fix, recipient };
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
