import type { FormDefinition } from '@donation-form/core/schemas';
import type { Draft } from './draft.ts';
import type { ConfigPath } from './config-path.ts';

/** An error that would prevent a server from starting. */
export interface Problem {
  /** Empty if the error does not concern a field. */
  readonly path: ConfigPath;
  readonly message: string;
}

/** The form to preview, the configuration errors, or the reason why the request failed. */
export type PreviewResult =
  | { readonly definition: FormDefinition }
  | { readonly problems: readonly Problem[] }
  | { readonly errorMessage: string; readonly isSignedOut?: true };

/** Asks the server to validate the draft the way it validates its configuration at startup. */
export async function fetchPreview(
  { configuration, organization, form, language }: Draft,
  csrf: string,
): Promise<PreviewResult> {
  const body = JSON.stringify({ csrf, configuration, organization, form, language });
  const response = await fetch('/builder/definition', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  }).catch(() => undefined);
  if (!response)
    return {
      errorMessage:
        'The server is not responding, so your changes are not checked. They stay in this tab; ' +
        'change something to try again.',
    };
  if (response.status === 401)
    return {
      errorMessage: 'Your session has ended. Your changes stay in this tab.',
      isSignedOut: true,
    };
  const result = (await response.json().catch(() => ({}))) as { readonly message?: string };
  if (response.ok) return result as PreviewResult;
  return { errorMessage: result.message ?? `The server returned an error: ${response.status}.` };
}
