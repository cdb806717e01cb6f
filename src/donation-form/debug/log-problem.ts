import type { Problem } from '@donation-form/core/page-diagnosis';

export function logProblem({ cause, headline, why, fix }: Problem): void {
  console.error(`donation-form: ${headline} ${why} ${fix} (${cause})`);
}
