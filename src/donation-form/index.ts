/** Package entry: registers `<donation-form>`, and exports its class, events, and types. */
import './form/define.ts';
import { restoreFragment } from './page/restore-fragment.ts';

// Here, because a hash router shows the form only after the fragment is restored.
restoreFragment();

export * from './form/donation-form.ts';
export * from './events/callback-error-event.ts';
export * from './events/events.ts';
export * from './events/accepted-events.ts';
export * from './events/submission-events.ts';
export * from './events/setting-ignored-event.ts';
export type * from './page/window-types.ts';
export { Frequency } from '@donation-form/core/donation';
export type {
  SettingExplanation,
  Explanation,
  FoundValue,
  SettingNote,
  UnrecognizedName,
} from '@donation-form/core/settings';
