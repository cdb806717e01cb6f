import type { FormDefinition } from '@donation-form/core/schemas';
import type { Draft } from './draft.ts';
import type { Place } from './file.ts';

/** Something that would keep a server from starting. */
export interface Problem {
  /** Empty where it is none of a field. */
  readonly at: Place;
  readonly words: string;
}

/** What the server makes of a draft: the form, or what is wrong; or why it said nothing. */
export type Answer =
  | { readonly definition: FormDefinition }
  | { readonly problems: readonly Problem[] }
  | { readonly trouble: string; readonly isLoggedOut?: true };

/** Has a draft read by the server as at its start. */
export async function askDefinition(
  { file: configuration, organization, form, language }: Draft,
  csrf: string,
): Promise<Answer> {
  const body = JSON.stringify({ csrf, configuration, organization, form, language });
  const response = await fetch('/builder/definition', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  }).catch(() => undefined);
  if (!response)
    return {
      trouble:
        'The server does not answer, so what you write is not checked. It stays in this tab; change something to try again.',
    };
  if (response.status === 401)
    return {
      trouble: 'You are not logged in any more. What you wrote stays in this tab.',
      isLoggedOut: true,
    };
  const answer = (await response.json().catch(() => ({}))) as { readonly message?: string };
  return response.ok
    ? (answer as Answer)
    : { trouble: answer.message ?? `The server answered ${response.status}.` };
}
