import type { FormDefinition } from '@donation-form/core/schemas';
import type { ConfigPath } from './config-path.ts';
import type { Draft } from './draft.ts';

/** A configuration error that would prevent a server from starting. */
export interface Problem {
  /** Path of the field. Empty if the error does not concern a field. */
  readonly path: ConfigPath;
  readonly message: string;
}

/** The form to preview, the configuration errors, or an error message for a failed request. */
export type PreviewResult =
  | { readonly definition: FormDefinition }
  | { readonly problems: readonly Problem[] }
  | { readonly errorMessage: string; readonly isSignedOut?: true };

/** Sends the draft to the server for the same validation that a configuration gets at startup. */
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
        'Your changes are saved in this tab, but the server is not responding and could not check ' +
        'them. Change a field to try again.',
    };
  if (response.status === 401)
    return {
      errorMessage: 'Your session has expired. Your changes are saved in this tab.',
      isSignedOut: true,
    };
  const result = (await response.json().catch(() => ({}))) as { readonly message?: string };
  if (response.ok) return result as PreviewResult;
  return {
    errorMessage:
      result.message ??
      `The server returned status ${response.status}. Change a field to try again.`,
  };
}
