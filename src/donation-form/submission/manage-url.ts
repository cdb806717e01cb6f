import type { FormStore } from '../form/form-store.ts';

export function getManageUrl({ session, context }: FormStore, provider: string): string {
  const query = new URLSearchParams({ id: context!.definition.id, provider });
  return `${session!.endpointUrl}manage?${query}`;
}
