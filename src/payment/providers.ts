import type { FormDefinition } from '../contract/form-definition.ts';
import type { MountPaymentField, PaymentField } from './payment-field.ts';

/** The payment providers that a form's definition can name; each is loaded when a form needs it. */
const PROVIDERS: Readonly<Record<string, () => Promise<{ readonly mount: MountPaymentField }>>> = {
  sandbox: () => import('./sandbox.ts'),
};

/**
 * Puts a provider's field into a form's slot `payment`. Destroying the field takes it out again.
 * @throws where the provider is unknown or its field cannot be loaded; nothing is left behind then.
 */
export async function mountPaymentField(form: HTMLElement, { provider, options }: FormDefinition['payment']): Promise<PaymentField> {
  const host = document.createElement('div');
  host.slot = 'payment';
  form.append(host);
  try {
    const load = PROVIDERS[provider];
    if (!load) throw new Error(`the payment provider ${provider} is not known to this script`);
    const field = await (await load()).mount(host, options);
    return { ...field, destroy: () => { field.destroy(); host.remove(); } };
  } catch (error) {
    host.remove();
    throw error;
  }
}
