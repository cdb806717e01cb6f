import type { FormDefinition } from '../schemas/form-definition.ts';
import { type FormSettings, resolveFormSettings } from './resolve-form-settings.ts';
import { type OptionalSettings, resolveOptionalSettings } from './resolve-optional-settings.ts';
import { SettingResolver } from './resolver.ts';
import type { SettingCandidate } from './setting-source.ts';

/** All settings that apply to a form before the donor changes anything. */
export type Settings = FormSettings & OptionalSettings;

/**
 * The form's script resolves the halves separately, because its first paint needs only the first.
 * @param candidates in any order. Within a source, the highest precedence must come first.
 */
export function resolveSettings(
  definition: FormDefinition,
  candidates: readonly SettingCandidate[],
  chosenCurrency?: string,
): { readonly settings: Settings; readonly resolver: SettingResolver } {
  const resolver = new SettingResolver(candidates);
  const settings = {
    ...resolveFormSettings(resolver, definition, chosenCurrency),
    ...resolveOptionalSettings(resolver, definition),
  };
  return { settings, resolver };
}
