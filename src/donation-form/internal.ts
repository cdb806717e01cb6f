export { fetchForm } from './form/endpoint.ts';
export { runWhenReleased } from './page/run-when-released.ts';
export { tryStorage } from './page/session-storage.ts';
export { errorIcon } from './sections/field-error.ts';
