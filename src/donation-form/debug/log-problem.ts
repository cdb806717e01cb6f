import type { Problem } from '@donation-form/core/page-diagnosis';

/** Logs what keeps a form from appearing, for authors who look at the console. */
export function logProblem({ cause, headline, why, fix }: Problem): void {
  console.error(`donation-form: ${headline} ${why} ${fix} (${cause})`);
}
