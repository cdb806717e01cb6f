export { buildReturnUrl, removeProviderParameters } from './return-url.ts';
export { isPathWithin, isServiceUrl, normalizeServiceUrl } from './service-url.ts';
