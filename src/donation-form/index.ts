/**
 * The package's entry: registers `<donation-form>`, and exports what pages in TypeScript need of
 * it.
 */
import './form/define.ts';

export * from './form/donation-form.ts';
export * from './events/events.ts';
export * from './events/submission-events.ts';
export * from './events/setting-ignored-event.ts';
export type * from './page/window-types.ts';
export type {
  Explained,
  Explanation,
  FoundValue,
  SettingNote,
  Unread,
} from '@donation-form/core/settings';
