import { CANCELED_PARAMETER, removeProviderParameters } from '@donation-form/core/url';
import { tryStorage } from '../page/session-storage.ts';

/** Returns true if the donor canceled on the payment provider's page and returned to this page. */
export function isReturnCanceled(): boolean {
  return new URL(location.href).searchParams.has(CANCELED_PARAMETER);
}

/** @param isReturn if false, ambiguous parameters remain, because they might be the page's. */
export function removeProcessorParams(isReturn: boolean): void {
  const url = removeProviderParameters(new URL(location.href), isReturn).href;
  if (url !== location.href) tryStorage(() => history.replaceState(history.state, '', url));
}
