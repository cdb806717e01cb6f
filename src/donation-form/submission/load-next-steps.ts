import type { SubmissionParts } from './submission-parts.ts';

export type NextSteps = typeof import('./next-steps.ts');

let loadedSteps: NextSteps | undefined;

/** @throws if the network fails. */
export async function loadNextSteps(parts: SubmissionParts): Promise<NextSteps> {
  loadedSteps ??= await import('./next-steps.ts');
  if (!parts.action) loadedSteps.completeForm(parts);
  return loadedSteps;
}

/** Undefined until {@link loadNextSteps} has loaded them for this form. */
export function getNextSteps({ action }: SubmissionParts): NextSteps | undefined {
  return action && loadedSteps;
}
