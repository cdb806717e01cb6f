import type { FormDefinition } from '../../core/schemas/form-definition.ts';
import type { Language } from '../../core/i18n/language.ts';
import type { Scheme } from './contrast.ts';
import type { Theme } from './look.ts';

/** What the page tells its preview to show. */
export interface Shown {
  readonly definition: FormDefinition;
  readonly language: Language;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly scheme: Scheme;
}
