import { type PaymentFieldFactory, PaymentMethodType } from 'donation-form/payment';

/** Mounts a picture of a test card instead of a payment provider's field: there is nothing to enter. */
export const mountDemoCard: PaymentFieldFactory = async (host) => {
  const card = document.createElement('p');
  card.className = 'demo-card';
  card.tabIndex = -1;
  card.dir = 'ltr';
  card.textContent = '4242 4242 4242 4242';
  host.append(card);
  return {
    update: () => undefined,
    confirm: async () => ({ token: 'demo', method: PaymentMethodType.CreditCard }),
    handleNextAction: async () => undefined,
    focus: () => {
      card.focus();
    },
    destroy: () => {
      card.remove();
    },
  };
};
