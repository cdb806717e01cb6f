import type { FormController } from '../form/form-controller.ts';

/** Returns the URL of the page where donors manage recurring donations. */
export function getManageUrl({ loader, context }: FormController, provider: string): string {
  const query = new URLSearchParams({ id: context!.definition.id, provider });
  return `${loader!.endpointUrl}manage?${query}`;
}
