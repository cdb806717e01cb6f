import { ACTIVITY_ORIGINS, GIFT_STATUSES, type GiftStatus } from './enumerations.ts';
import { giftText } from './gift-text.ts';
import { randomNumbers } from './random.ts';
import type { Campaign, Donor, Gift, Unnumbered } from './records.ts';
import { campaigns, funds } from './seed.ts';
import type { SandboxStore } from './store.ts';

const DAY = 86_400_000, DAYS = 730, DONORS = 220, SEED = 20_211;

const FIRST_NAMES = ['Ana', 'Bram', 'Dalia', 'Elif', 'Freya', 'Hana', 'Idris', 'Ines', 'Jonah', 'Kofi', 'Lee', 'Luca', 'Mara', 'Mateo', 'Nadia', 'Oscar', 'Priya', 'Ravi', 'Sofia', 'Tomas', 'Wren', 'Yusuf'];
const LAST_NAMES = ['Alderbrook', 'Brightwater', 'Cloverfield', 'Dunmarsh', 'Eastlake', 'Fennimore', 'Galehaven', 'Hollowell', 'Ivorsund', 'Kestrelson', 'Lanthorn', 'Marlowfinch', 'Okonwell', 'Pebbleworth', 'Quillane', 'Rivermont', 'Sandorval', 'Tidewell', 'Underhay', 'Wildermere'];
const ORGANIZATIONS = ['Copperkettle Cafe', 'Ninth Street Choir', 'Palewood Rotary', 'Saltmarsh Cycling Club', 'The Umbrella Works'];
const PLACES = [['Harrowmere', 'OR', '97000'], ['Port Linnet', 'ME', '04000'], ['Saltmarsh', 'NJ', '08000'], ['Tallgrass', 'KS', '66000'], ['Vellum Bay', 'WA', '98000']] as const;
const STREETS = ['Ferry Lane', 'Mill Race', 'Old Weir Road', 'Pumphouse Street', 'Spring Hill'];
const AMOUNTS = ['15.00', '25.00', '25.00', '25.00', '40.00', '50.00', '50.00', '50.00', '75.00', '75.00', '100.00', '150.00', '250.00', '500.00', '1000.00'];
const MONTHLY_AMOUNTS = ['10.00', '10.00', '15.00', '20.00', '25.00', '25.00', '50.00'];
const COMMENTS = ['For the school in the hills', 'In memory of my father, who dug wells', 'From the whole office', 'Thank you for the report on the pumps', 'Happy birthday, Wren!'];
const SEGMENTS = ['', '', 'SITE', 'MAIL26', 'NEWS', 'FAIR'];
/** How many single gifts are to be expected on a day of each month. */
const SEASON = [1.2, 0.9, 1.4, 1.2, 1, 0.8, 0.7, 0.8, 1.3, 1.6, 2.4, 4.2];

const ROUTINE = [{ origin: ACTIVITY_ORIGINS.DonorPortal }, { origin: ACTIVITY_ORIGINS.Donor }, { origin: ACTIVITY_ORIGINS.CRM }] as const;
const ROUTINE_TEXTS = [
  ({ firstName, lastName }: Donor) => `${firstName} ${lastName} changed the postal address`,
  ({ firstName, lastName }: Donor) => `${firstName} ${lastName} changed the e-mail address`,
  ({ firstName, lastName }: Donor) => `${firstName} ${lastName} asked for the yearly receipt`,
] as const;

/**
 * Fills a store with two years of an invented organisation's donors, gifts and activities, up to the day before a moment.
 * The same moment's day brings the same history.
 */
export function fillHistory(store: SandboxStore, now: Date): void {
  const random = randomNumbers(SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const moment = (day: number): string => new Date(today - day * DAY + (6 + random() * 16) * (DAY / 24)).toISOString().replace(/\.\d+/, '.000');

  const donors = Array.from({ length: DONORS }, (_, index) => {
    const since = Math.floor((DAYS - 8) * (1 - index / DONORS)) + 7;
    const created = moment(since), firstName = pick(FIRST_NAMES), lastName = pick(LAST_NAMES), [city, state, postal] = pick(PLACES);
    const donor = store.addDonor({
      firstName, lastName, created, modified: created, isActive: random() > 0.06,
      organization: random() < 0.05 ? pick(ORGANIZATIONS) : '',
      email: `${firstName}.${lastName}${index + 1}@${random() < 0.6 ? 'example.org' : 'mail.example'}`.toLowerCase(),
      phone: random() < 0.4 ? `+1 555 01${String(index % 100).padStart(2, '0')}` : '',
      crmKey: `CRM-${4_000 + index * 7}`, code: random() < 0.1 ? 'MAJOR' : '',
      address: { address1: `${Math.ceil(random() * 180)} ${pick(STREETS)}`, city, state, postal, country: 'US' },
    });
    return { donor, since };
  });
  const regular = donors.filter((_, index) => index % 5 === 0)
    .map(({ donor, since }) => ({ donor, since, until: random() < 0.25 ? Math.floor(since * random()) : 0, on: Math.ceil(random() * 28), amount: pick(MONTHLY_AMOUNTS), fund: pick(funds.slice(0, 5)) }));

  let count = 0;
  const give = (donor: Donor, day: number, frequency: string, total: string, fund = pick(funds.slice(0, 5))): void => {
    const created = moment(day), campaign = campaignOn(created.slice(0, 10), frequency, random());
    const status = statusFor(random()), isTest = random() < 0.008;
    count += 1;
    const gift: Unnumbered<Gift> = {
      reference: `LW-${String(10_000 + count)}`, donorId: donor.id, total, currency: 'USD', frequency, status, isTest,
      method: frequency === 'once' && random() < 0.05 ? 'check' : random() < 0.1 ? 'bank' : random() < 0.15 ? 'wallet' : 'card',
      isAnonymous: random() < 0.04, isDeleted: isTest && random() < 0.5,
      comment: random() < 0.03 ? pick(COMMENTS) : '', segment: frequency === 'once' ? pick(SEGMENTS) : '', campaignId: campaign?.id ?? null,
      allocations: [{ code: fund.code, name: fund.name, amount: total }], customFields: [],
      created, modified: status === GIFT_STATUSES.Approved ? created : new Date(Math.min(new Date(created).getTime() + 3 * DAY, today)).toISOString(),
    };
    store.addGift(gift, '{}', { origin: ACTIVITY_ORIGINS.Giving, displayText: giftText(gift, donor), date: created });
    if (Number(total) >= 500) store.addActivity({ origin: ACTIVITY_ORIGINS.Team, displayText: `${donor.firstName} ${donor.lastName} was thanked by telephone`, date: moment(Math.max(day - 2, 1)) });
  };

  for (let day = DAYS; day >= 1; day -= 1) {
    const date = new Date(today - day * DAY), known = donors.filter(({ since }) => since >= day);
    for (const { donor, since, until, on, amount, fund } of regular) {
      if (since >= day && until < day && on === date.getUTCDate()) give(donor, day, 'monthly', amount, fund);
    }
    for (const { donor, since } of donors) {
      if (since === day) store.addActivity({ origin: ACTIVITY_ORIGINS.System, displayText: `${donor.firstName} ${donor.lastName} was added as a donor`, date: donor.created });
    }
    if (known.length === 0) continue;
    const expected = SEASON[date.getUTCMonth()]!;
    for (let gifts = Math.floor(expected * 2 * random() + 0.5); gifts > 0; gifts -= 1) give(pick(known).donor, day, 'once', pick(AMOUNTS));
    if (random() < 0.06) store.addActivity({ ...pick(ROUTINE), displayText: pick(ROUTINE_TEXTS)(pick(known).donor), date: moment(day) });
  }
}

function campaignOn(date: string, frequency: string, chance: number): Campaign | undefined {
  if (frequency === 'monthly') return campaigns.find(({ id, startDate }) => id === 103 && startDate <= date);
  const running = campaigns.filter(({ id, startDate, endDate }) => id !== 103 && id !== 106 && startDate <= date && date <= endDate);
  return running[Math.floor(chance * (running.length + 1))];
}

function statusFor(chance: number): GiftStatus {
  if (chance < 0.94) return GIFT_STATUSES.Approved;
  if (chance < 0.965) return GIFT_STATUSES.Declined;
  if (chance < 0.985) return GIFT_STATUSES.Refunded;
  return chance < 0.993 ? GIFT_STATUSES.Pending : GIFT_STATUSES.Disputed;
}
