/** What is needed to explain a form's settings. Loaded when somebody asks. */
export { explain, unreadInAddress, unreadInSettings } from '../settings/explain.ts';
export { mergeHidden } from '../settings/hidden.ts';
