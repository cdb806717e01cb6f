import type { Language } from '@donation-form/core/i18n';
import type { GoalConfiguration, OrganizationConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { localizeInEachLanguage, parseConfiguredAmount } from '../lib/localize.ts';
import { parsePeriod, type Period } from '../lib/period.ts';
import { getPayableDecimals } from '../payments/payment-providers.ts';

export interface Goal {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly currency: string;
  readonly decimals: number;
  /** In minor units. */
  readonly target: number;
  /** Raised outside the forms, in minor units. Counts toward the goal. */
  readonly offlineAmount: number;
  readonly period: Period;
  /** IDs of the projects that count. If undefined, all count. */
  readonly projects?: ReadonlySet<string> | undefined;
  /** Segments that count. If undefined, any segment or none counts. */
  readonly segments?: ReadonlySet<string> | undefined;
}

const LAST_DAY = '9999-12-31';

/** @throws {ConfigurationError} if a goal is invalid. */
export function createGoals(organization: OrganizationConfiguration, at: string): Goal[] {
  return organization.goals.map((goal, index) =>
    createGoal(goal, organization, `${at}.goals.${index}`),
  );
}

/** @throws {ConfigurationError} if the goal is invalid. */
function createGoal(
  { id, name, currency, from, to = LAST_DAY, projects, segments, ...written }: GoalConfiguration,
  { payments, timeZone, forms }: OrganizationConfiguration,
  at: string,
): Goal {
  const decimals = getPayableDecimals(payments, currency);
  if (decimals === undefined)
    throw new ConfigurationError(
      `${at}.currency: found ${JSON.stringify(currency)}; expected an active ISO 4217 currency`,
    );
  if (from > to)
    throw new ConfigurationError(
      `${at}.to: found ${to}; expected ${from} (the first day) or later`,
    );
  const offered = new Map(
    forms.flatMap((form) =>
      form.projects.flatMap((project) => [
        [project.id, project.id] as const,
        [project.code ?? project.id, project.id] as const,
      ]),
    ),
  );
  const ids = projects?.map((project, index) => {
    const found = offered.get(project);
    if (found === undefined)
      throw new ConfigurationError(
        `${at}.projects.${index}: found ${JSON.stringify(project)}; expected the code or ID ` +
          'of a project that a form offers',
      );
    return found;
  });
  const [target, offlineAmount] = (['target', 'offlineAmount'] as const).map((name) =>
    parseConfiguredAmount(written[name], { code: currency, decimals }, `${at}.${name}`),
  ) as [number, number];
  if (target === 0)
    throw new ConfigurationError(
      `${at}.target: found ${JSON.stringify(written.target)}; expected more than 0`,
    );
  return {
    id,
    names: localizeInEachLanguage(name),
    currency,
    decimals,
    target,
    offlineAmount,
    period: parsePeriod(from, to, timeZone),
    projects: ids && new Set(ids),
    segments: segments && new Set(segments),
  };
}
