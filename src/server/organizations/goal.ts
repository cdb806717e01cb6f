import type { GoalConfiguration, OrganizationConfiguration } from '@donation-form/core/schemas';
import type { Language } from '@donation-form/core/i18n';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { localizeAll, readAmount } from './localize.ts';
import { decimalsWith } from '../payments/payment-options.ts';
import { periodOf, type Period } from '../lib/period.ts';

/**
 * What an organisation wants to raise in a time, and which gifts count. Amounts are minor units.
 */
export interface Goal {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly currency: string;
  readonly decimals: number;
  readonly target: number;
  /** What came in by other ways. */
  readonly elsewhere: number;
  readonly period: Period;
  /** The ids of the projects that count; absent: all. */
  readonly projects?: ReadonlySet<string> | undefined;
  /** The segments that count; absent: all, and gifts without one. */
  readonly segments?: ReadonlySet<string> | undefined;
}

const LAST_DAY = '9999-12-31';

/** @param at where it stands in the configuration. @throws {ConfigurationError} */
export function openGoal(
  { id, name, currency, from, to = LAST_DAY, projects, segments, ...written }: GoalConfiguration,
  { payments, timeZone, forms }: OrganizationConfiguration,
  at: string,
): Goal {
  const decimals = decimalsWith(payments, currency);
  if (decimals === undefined)
    throw new ConfigurationError(
      `${at}.currency: found ${JSON.stringify(currency)}, expected an active ISO 4217 currency`,
    );
  if (from > to)
    throw new ConfigurationError(
      `${at}.to: found ${to}, expected ${from}, the first day, or a later one`,
    );
  const offered = new Map(
    forms.flatMap((form) =>
      form.projects.flatMap(
        (project) =>
          [
            [project.id, project.id],
            [project.code ?? project.id, project.id],
          ] as const,
      ),
    ),
  );
  const ids = projects?.map((project, index) => {
    const found = offered.get(project);
    if (found === undefined)
      throw new ConfigurationError(
        `${at}.projects.${index}: found ${JSON.stringify(project)}, expected the code or id of a project that a form offers`,
      );
    return found;
  });
  const target = readAmount(written.target, { code: currency, decimals }, `${at}.target`);
  const elsewhere = readAmount(written.elsewhere, { code: currency, decimals }, `${at}.elsewhere`);
  if (target === 0)
    throw new ConfigurationError(
      `${at}.target: found ${JSON.stringify(written.target)}, expected more than 0`,
    );
  return {
    id,
    names: localizeAll(name),
    currency,
    decimals,
    target,
    elsewhere,
    period: periodOf(from, to, timeZone),
    projects: ids && new Set(ids),
    segments: segments && new Set(segments),
  };
}
