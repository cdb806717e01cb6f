import type { FormDefinition } from '../schemas/form-definition.ts';
import {
  CUSTOM_VALUE_LENGTH,
  CustomFieldDataType,
  readCustomValue,
} from '../donor/custom-field.ts';
import { CODE_LENGTH, cleanLine, cleanText } from '../donor/donor.ts';
import {
  TRACKING_FIELD_LENGTHS,
  TRACKING_FIELDS,
  type TrackingField,
} from '../donation/tracking.ts';
import type { Candidate } from './setting-source.ts';
import { Decisions } from './resolver.ts';
import { readText, wordOf, type Reading } from './parsers.ts';

/** What travels with a gift and is not shown: it is read when the gift is sent. */
export interface HiddenSettings {
  readonly segment?: string;
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  readonly tracking: Readonly<Partial<Record<TrackingField, string>>>;
}

const CUSTOM_FIELD = 'customField:';

/**
 * Merges what was found of the hidden settings.
 * @param candidates the strongest layer first, and within it the strongest name first.
 */
export function mergeHidden(
  definition: FormDefinition,
  candidates: readonly Candidate[],
): { readonly settings: HiddenSettings; readonly decisions: Decisions } {
  const decisions = new Decisions(candidates);
  const segment = decisions.strongest('segment', (value) => readText(value, CODE_LENGTH));
  const tracking = TRACKING_FIELDS.flatMap((name) => {
    const value = decisions.strongest(name, (given) =>
      readText(given, TRACKING_FIELD_LENGTHS[name]),
    );
    return value === undefined ? [] : [[name, value]];
  });
  const ids = new Set(
    candidates.flatMap(({ setting }) =>
      setting.startsWith(CUSTOM_FIELD) ? [setting.slice(CUSTOM_FIELD.length)] : [],
    ),
  );
  const customFields = [...ids].flatMap((id) => {
    const value = decisions.strongest(`${CUSTOM_FIELD}${id}`, (given) =>
      readCustomField(given, id, definition),
    );
    return value === undefined ? [] : [{ id, value }];
  });
  return {
    settings: {
      ...(segment !== undefined && { segment }),
      customFields,
      tracking: Object.fromEntries(tracking) as HiddenSettings['tracking'],
    },
    decisions,
  };
}

function readCustomField(
  given: unknown,
  id: string,
  { customFields, allowUnlistedCustomFields }: FormDefinition,
): Reading<string> {
  const field = customFields.find((known) => known.id === id);
  if (
    !field &&
    (!allowUnlistedCustomFields || id.length > CODE_LENGTH || id === '' || cleanLine(id) !== id)
  )
    return { reason: 'not-offered' };
  const type = field?.type ?? CustomFieldDataType.Text;
  const text = readText(
    wordOf(given),
    CUSTOM_VALUE_LENGTH,
    type === CustomFieldDataType.Paragraph ? cleanText : cleanLine,
  );
  if ('reason' in text) return text;
  const value = readCustomValue(
    text.value,
    type,
    field?.options?.map((option) => option.value),
  );
  return value === undefined ? { reason: 'invalid' } : { value };
}
