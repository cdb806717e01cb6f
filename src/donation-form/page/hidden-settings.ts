import type { FormDefinition } from '@donation-form/core/schemas';
import {
  resolveHiddenSettings,
  readOptionalParameters,
  type SettingCandidate,
} from '@donation-form/core/settings';
import { getLandingSearch } from './landing-params.ts';
import type { PageContext } from './page-context.ts';

/** The part of a form's loader that reads settings. */
export interface SettingCandidateReader {
  readonly pageContext: PageContext;
  readSettingCandidates(definition: FormDefinition): SettingCandidate[];
}

/** Resolves the settings that only the optional sections and the donation request use. */
export function readHiddenSettings(
  reader: SettingCandidateReader,
  definition: FormDefinition,
): ReturnType<typeof resolveHiddenSettings> {
  const { search, element } = reader.pageContext;
  const except = element.ignoreParams?.toLowerCase().split(/[\s,]+/);
  const url = readOptionalParameters(search, 'url', except);
  const landing = readOptionalParameters(
    element.urlParams === 'off' ? '' : getLandingSearch(),
    'landing',
    except,
  ).filter(({ setting, value }) =>
    url.every((candidate) => candidate.setting !== setting || candidate.value !== value),
  );
  return resolveHiddenSettings(definition, [
    ...url,
    ...landing,
    ...reader.readSettingCandidates(definition),
  ]);
}
