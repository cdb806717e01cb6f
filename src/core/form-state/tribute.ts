import { TRIBUTE_KINDS } from '../donation/index.ts';
import type { FormDefinition } from '../schemas/index.ts';
import type { FormState } from './form-state.ts';
import { getFirstControlValue } from './form-values.ts';

export function getTributeKind(
  { optionalFields }: FormState,
  { allowTribute }: FormDefinition,
): (typeof TRIBUTE_KINDS)[number] | undefined {
  return allowTribute
    ? TRIBUTE_KINDS.find((kind) => kind === getFirstControlValue(optionalFields, 'tribute.kind'))
    : undefined;
}
