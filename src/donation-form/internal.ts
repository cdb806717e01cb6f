export { fetchForm } from './form/endpoint.ts';
export { problemSign } from './sections/field-error.ts';
