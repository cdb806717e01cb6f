/** Registers `<campaign-links>`. */
import { CampaignLinksElement } from './campaign-links.ts';

customElements.define('campaign-links', CampaignLinksElement);
