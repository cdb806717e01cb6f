export { buildReturnUrl, removeProcessorParameters } from './return-url.ts';
export { isPathWithin, isServiceUrl, normalizeServiceUrl } from './service-url.ts';
