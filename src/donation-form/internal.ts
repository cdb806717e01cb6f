export { fetchForm } from './form/endpoint.ts';
export { errorIcon } from './sections/field-error.ts';
