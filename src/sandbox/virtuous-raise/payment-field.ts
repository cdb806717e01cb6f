/**
 * Browser module with a stand-in payment field for `registerPaymentProvider`. On a real website,
 * the account's payment gateway provides the field.
 */
export const PAYMENT_FIELD = `
const OUTCOMES = {
  good: 'Card that succeeds',
  declined: 'Card that is declined',
  timeout: 'Card that is charged, with an unclear response',
};

export async function mount(host, { label }) {
  const select = document.createElement('select');
  select.ariaLabel = label;
  select.style.cssText = 'display: block; width: 100%; font: inherit; padding: 0.75em';
  for (const [value, text] of Object.entries(OUTCOMES)) select.add(new Option(text, value));
  host.append(select);
  return {
    update: () => undefined,
    confirm: async () => ({ token: select.value + '-' + crypto.randomUUID(), method: 0 }),
    handleNextAction: async () => undefined,
    focus: () => select.focus(),
    destroy: () => select.remove(),
  };
}
`;
