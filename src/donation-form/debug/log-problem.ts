import type { PageProblem } from '@donation-form/core/page-diagnosis';

export function logProblem({ cause, headline, why, fix }: PageProblem): void {
  console.error(`donation-form: ${headline} ${why} ${fix} (${cause})`);
}
