import {
  MAX_TRACKING_FIELD_LENGTHS,
  TRACKING_FIELDS,
  type TrackingField,
} from '../donation/tracking.ts';
import { MAX_TRIBUTE_NAME_LENGTH, TRIBUTE_KINDS } from '../donation/tribute.ts';
import {
  CustomFieldDataType,
  MAX_CUSTOM_VALUE_LENGTH,
  parseCustomValue,
} from '../donor/custom-field.ts';
import { cleanLine, cleanText, MAX_CODE_LENGTH } from '../donor/donor.ts';
import type { FormDefinition } from '../schemas/form-definition.ts';
import { findOfferedItem, type ParseResult, parseText, toTrimmedText } from './parsers.ts';
import type { SettingResolver } from './resolver.ts';

export interface OptionalSettings {
  readonly segment?: string;
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  readonly tracking: Readonly<Partial<Record<TrackingField, string>>>;
  /** Preset tribute (rule 65). */
  readonly tribute?: { readonly kind?: (typeof TRIBUTE_KINDS)[number]; readonly name?: string };
}

const CUSTOM_FIELD = 'customField:';
const CONSENT = 'consent:';

/** Resolves the settings that the first paint does not need. Loads lazily. */
export function resolveOptionalSettings(
  resolver: SettingResolver,
  definition: FormDefinition,
): OptionalSettings {
  const segment = resolver.resolveSetting('segment', (value) => parseText(value, MAX_CODE_LENGTH));
  const tracking = TRACKING_FIELDS.flatMap((name) => {
    const value = resolver.resolveSetting(name, (text) =>
      parseText(text, MAX_TRACKING_FIELD_LENGTHS[name]),
    );
    return value === undefined ? [] : [[name, value]];
  });
  const ids = new Set(
    resolver.candidates.flatMap(({ setting }) =>
      setting.startsWith(CUSTOM_FIELD) ? [setting.slice(CUSTOM_FIELD.length)] : [],
    ),
  );
  const customFields = [...ids].flatMap((id) => {
    const value = resolver.resolveSetting(`${CUSTOM_FIELD}${id}`, (input) =>
      parseCustomField(input, id, definition),
    );
    return value === undefined ? [] : [{ id, value }];
  });
  const tributeKind = resolver.resolveSetting('tribute', (value) =>
    findOfferedItem(
      definition.allowTribute ? TRIBUTE_KINDS : [],
      (kind) => kind === toTrimmedText(value).toLowerCase(),
    ),
  );
  const tributeName = resolver.resolveSetting('tributeName', (value) =>
    definition.allowTribute ? parseText(value, MAX_TRIBUTE_NAME_LENGTH) : { reason: 'not-offered' },
  );
  validateConsentPresets(resolver, definition);
  return {
    ...((tributeKind ?? tributeName) !== undefined && {
      tribute: {
        ...(tributeKind && { kind: tributeKind }),
        ...(tributeName !== undefined && { name: tributeName }),
      },
    }),
    ...(segment !== undefined && { segment }),
    customFields,
    tracking: Object.fromEntries(tracking) as OptionalSettings['tracking'],
  };
}

/** Accepts only `no`, because only the donor can give consent (rule 66). */
function validateConsentPresets(resolver: SettingResolver, { consents }: FormDefinition): void {
  for (const setting of new Set(resolver.candidates.map((candidate) => candidate.setting)))
    if (setting.startsWith(CONSENT))
      resolver.resolveSetting(setting, (value): ParseResult<false> => {
        if (!consents.some(({ id }) => id === setting.slice(CONSENT.length)))
          return { reason: 'not-offered' };
        return toTrimmedText(value).toLowerCase() === 'no'
          ? { value: false }
          : { reason: 'invalid' };
      });
}

function parseCustomField(
  input: unknown,
  id: string,
  { customFields, allowUnlistedCustomFields }: FormDefinition,
): ParseResult<string> {
  const field = customFields.find((candidate) => candidate.id === id);
  if (
    !field &&
    (!allowUnlistedCustomFields || id.length > MAX_CODE_LENGTH || id === '' || cleanLine(id) !== id)
  )
    return { reason: 'not-offered' };
  const type = field?.type ?? CustomFieldDataType.Text;
  const text = parseText(
    toTrimmedText(input),
    MAX_CUSTOM_VALUE_LENGTH,
    type === CustomFieldDataType.Paragraph ? cleanText : cleanLine,
  );
  if ('reason' in text) return text;
  const value = parseCustomValue(
    text.value,
    type,
    field?.options?.map((option) => option.value),
  );
  return value === undefined ? { reason: 'invalid' } : { value };
}
