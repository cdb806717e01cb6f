export {
  buildReturnUrl,
  CANCELED_PARAMETER,
  FRAGMENT_PARAMETER,
  removeProviderParameters,
} from './return-url.ts';
export { isPathWithin, isServiceUrl, normalizeServiceUrl } from './service-url.ts';
