import { z } from 'zod';
import type { FormDefinition } from '@donation-form/core/schemas';
import { formsOf, goalsOf, readConfiguration } from '../../config/load-configuration.ts';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import { inLanguage } from '../../donations/form-registry.ts';

const place = z.int().min(0);

/** A configuration that nobody has started a server with, and which form of it is to be shown. */
export const draft = z.strictObject({
  csrf: z.string(),
  configuration: z.unknown(),
  organization: place.describe('its place in the configuration'),
  form: place.describe('its place in the organisation'),
  language: z.string().max(35),
});
export type Draft = z.infer<typeof draft>;

/** Something that would keep a server from starting. */
export interface DraftProblem {
  /** The place, such as `organizations.0.name`; empty where it is none of a field. */
  readonly at: string;
  /** What was expected and what was found, in the words of the start. */
  readonly words: string;
}

/**
 * What a form of a draft would be, read and checked as at the start; or what would keep a server
 * from starting.
 */
export function readDraft({
  configuration: json,
  organization,
  form,
  language,
}: Omit<Draft, 'csrf'>):
  { readonly definition: FormDefinition } | { readonly problems: readonly DraftProblem[] } {
  const read = readConfiguration(json);
  if ('problems' in read) return { problems: read.problems.map(problemOf) };
  try {
    const offered = formsOf(read.configuration)[organization]?.[form];
    read.configuration.organizations.forEach((one, at) => goalsOf(one, `organizations.${at}`));
    return offered
      ? { definition: inLanguage(offered, language).definition }
      : {
          problems: [
            {
              at: '',
              words: `expected the form ${form} of the organisation ${organization}; found none there`,
            },
          ],
        };
  } catch (error) {
    if (error instanceof ConfigurationError) {
      const { at, words } = problemOf(error.message);
      const inThisForm = error.places.find((place) =>
        place.startsWith(`organizations.${organization}.forms.${form}.`),
      );
      return { problems: [{ at: inThisForm ?? at, words }] };
    }
    throw error;
  }
}

function problemOf(line: string): DraftProblem {
  const [, at = '', words = line] = /^([\w.-]+): ([\s\S]*)$/.exec(line) ?? [];
  return { at, words };
}
