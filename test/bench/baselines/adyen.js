/** Adyen's Donation component, as its documentation mounts it. */
import '@adyen/adyen-web/styles/adyen.css';
import { AdyenCheckout, Donation } from '@adyen/adyen-web';

customElements.define(
  'donation-form',
  class extends HTMLElement {
    async connectedCallback() {
      const checkout = await AdyenCheckout({
        environment: 'test',
        clientKey: 'test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        countryCode: 'US',
        locale: 'en-US',
        analytics: { enabled: false },
      });
      new Donation(checkout, {
        donation: { type: 'fixedAmounts', currency: 'USD', values: [2500, 5000, 10000] },
        nonprofitName: 'Test Charity',
        nonprofitDescription: 'Lorem ipsum',
        nonprofitUrl: 'https://example.org',
        causeName: 'Earth',
        logoUrl: '',
        bannerUrl: '',
        termsAndConditionsUrl: 'https://example.org/t',
        onDonate: () => undefined,
        onCancel: () => undefined,
      }).mount(this);
    }
  },
);
