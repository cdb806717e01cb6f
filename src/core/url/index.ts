export { returnAddress, withoutProcessors } from './return-url.ts';
export { isPathOf, isServiceUrl, serviceBase } from './service-url.ts';
