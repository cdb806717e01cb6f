import type { AddressTexts } from './en-address.ts';
import type { MoreTexts } from './en-more.ts';
import type { SendingTexts } from './en-sending.ts';
import type { FormTexts } from './en.ts';

/**
 * All texts of a language. English comes in parts, since most forms need the first alone before
 * they are shown.
 */
export interface Tables {
  readonly form: FormTexts;
  readonly sending: SendingTexts;
  readonly more: MoreTexts;
  readonly address: AddressTexts;
}
