import { z } from 'zod';
import type { FormDefinition } from '@donation-form/core/schemas';
import { parseConfiguration } from '../../config/load-configuration.ts';
import { buildForms } from '../../config/validate-configuration.ts';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import { createGoals } from '../../organizations/goal.ts';
import { getLocalizedDefinition } from '../../organizations/organizations.ts';

const indexSchema = z.int().min(0);

export const draftSchema = z.strictObject({
  csrf: z.string(),
  configuration: z.unknown(),
  organization: indexSchema.describe('index of the organization in the configuration'),
  form: indexSchema.describe('index of the form in the organization'),
  language: z.string().max(35),
});
export type SubmittedDraft = z.infer<typeof draftSchema>;

/** An error that would prevent the server from starting. */
export interface DraftProblem {
  /** Such as `organizations.0.name`. Empty if the error does not concern a field. */
  readonly path: string;
  readonly message: string;
}

/** Applies the server's startup validation to a configuration and builds the form to preview. */
export function previewConfiguration({
  configuration: json,
  organization,
  form,
  language,
}: Omit<SubmittedDraft, 'csrf'>):
  { readonly definition: FormDefinition } | { readonly problems: readonly DraftProblem[] } {
  const result = parseConfiguration(json);
  if ('problems' in result) return { problems: result.problems.map(parseConfigurationProblem) };
  try {
    const localizedForm = buildForms(result.configuration)[organization]?.[form];
    result.configuration.organizations.forEach((entry, index) =>
      createGoals(entry, `organizations.${index}`),
    );
    if (localizedForm)
      return { definition: getLocalizedDefinition(localizedForm, language).definition };
    const message = `found no form at organizations.${organization}.forms.${form}`;
    return { problems: [{ path: '', message }] };
  } catch (error) {
    if (error instanceof ConfigurationError) {
      const { path, message } = parseConfigurationProblem(error.message);
      const pathInThisForm = error.paths.find((place) =>
        place.startsWith(`organizations.${organization}.forms.${form}.`),
      );
      return { problems: [{ path: pathInThisForm ?? path, message }] };
    }
    throw error;
  }
}

function parseConfigurationProblem(line: string): DraftProblem {
  const [, path = '', message = line] = /^([\w.-]+): ([\s\S]*)$/.exec(line) ?? [];
  return { path, message };
}
