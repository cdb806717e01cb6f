import { ACTIVITY_ORIGINS, GIFT_STATUSES, type GiftStatus } from './enumerations.ts';
import { giftText } from './gift-text.ts';
import { randomNumbers } from './random.ts';
import type { Campaign, Donor, Fund, Gift, Unnumbered } from './records.ts';
import { campaigns, funds } from './seed.ts';
import type { SandboxStore } from './store.ts';

const DAY = 86_400_000;
const DAYS = 730;
const DONORS = 220;
const SEED = 20_211;

const FIRST_NAMES = [
  'Ana',
  'Bram',
  'Dalia',
  'Elif',
  'Freya',
  'Hana',
  'Idris',
  'Ines',
  'Jonah',
  'Kofi',
  'Lee',
  'Luca',
  'Mara',
  'Mateo',
  'Nadia',
  'Oscar',
  'Priya',
  'Ravi',
  'Sofia',
  'Tomas',
  'Wren',
  'Yusuf',
];
const LAST_NAMES = [
  'Alderbrook',
  'Brightwater',
  'Cloverfield',
  'Dunmarsh',
  'Eastlake',
  'Fennimore',
  'Galehaven',
  'Hollowell',
  'Ivorsund',
  'Kestrelson',
  'Lanthorn',
  'Marlowfinch',
  'Okonwell',
  'Pebbleworth',
  'Quillane',
  'Rivermont',
  'Sandorval',
  'Tidewell',
  'Underhay',
  'Wildermere',
];
const ORGANIZATIONS = [
  'Copperkettle Cafe',
  'Ninth Street Choir',
  'Palewood Rotary',
  'Saltmarsh Cycling Club',
  'The Umbrella Works',
];
const PLACES = [
  ['Harrowmere', 'OR', '97000'],
  ['Port Linnet', 'ME', '04000'],
  ['Saltmarsh', 'NJ', '08000'],
  ['Tallgrass', 'KS', '66000'],
  ['Vellum Bay', 'WA', '98000'],
] as const;
const STREETS = ['Ferry Lane', 'Mill Race', 'Old Weir Road', 'Pumphouse Street', 'Spring Hill'];
const AMOUNTS = [
  '15.00',
  '25.00',
  '25.00',
  '25.00',
  '40.00',
  '50.00',
  '50.00',
  '50.00',
  '75.00',
  '75.00',
  '100.00',
  '150.00',
  '250.00',
  '500.00',
  '1000.00',
];
const MONTHLY_AMOUNTS = ['10.00', '10.00', '15.00', '20.00', '25.00', '25.00', '50.00'];
const COMMENTS = [
  'For the school in the hills',
  'In memory of my father, who dug wells',
  'From the whole office',
  'Thank you for the report on the pumps',
  'Happy birthday, Wren!',
];
const SEGMENTS = ['', '', 'SITE', 'MAIL26', 'NEWS', 'FAIR'];
/** How many single gifts are to be expected on a day of each month. */
const SEASON = [1.2, 0.9, 1.4, 1.2, 1, 0.8, 0.7, 0.8, 1.3, 1.6, 2.4, 4.2];

const METHODS = [
  'card',
  'card',
  'card',
  'card',
  'card',
  'card',
  'card',
  'bank',
  'wallet',
  'wallet',
] as const;
const OPEN_FUNDS = funds.filter(({ isActive }) => isActive);
const ROUTINE_ORIGINS = [
  ACTIVITY_ORIGINS.DonorPortal,
  ACTIVITY_ORIGINS.Donor,
  ACTIVITY_ORIGINS.CRM,
];
const ROUTINE = [
  'changed the postal address',
  'changed the e-mail address',
  'asked for the yearly receipt',
];

/**
 * Fills a store with two years of an invented organisation's donors, gifts and activities, up to
 * the day before a moment.
 * The same moment's day brings the same history.
 */
export function fillHistory(store: SandboxStore, now: Date): void {
  const history = new History(store, Math.floor(now.getTime() / DAY) * DAY);
  for (let day = DAYS; day >= 1; day -= 1) history.live(day);
}

/** A donor, and how many days ago the first contact was. */
interface Acquaintance {
  readonly donor: Donor;
  readonly since: number;
}

interface Regular extends Acquaintance {
  /** How many days ago the last gift was, 0 where they go on. */
  readonly until: number;
  /** The day of the month. */
  readonly on: number;
  readonly amount: string;
  readonly fund: Fund;
}

interface Giving {
  readonly donor: Donor;
  readonly frequency: 'once' | 'monthly';
  readonly total: string;
  readonly fund: Fund;
  readonly created: string;
}

/** An organisation's days, lived one after the other. Days are counted back from today. */
class History {
  readonly #store: SandboxStore;
  readonly #today: number;
  readonly #random = randomNumbers(SEED);
  readonly #donors: readonly Acquaintance[];
  readonly #regulars: readonly Regular[];
  #gifts = 0;

  constructor(store: SandboxStore, today: number) {
    this.#store = store;
    this.#today = today;
    this.#donors = Array.from({ length: DONORS }, (_, index) => this.#meet(index));
    this.#regulars = this.#donors
      .filter((_, index) => index % 5 === 0)
      .map(({ donor, since }) => ({
        donor,
        since,
        until: this.#chance(0.25) ? Math.floor(since * this.#random()) : 0,
        on: Math.ceil(this.#random() * 28),
        amount: this.#pick(MONTHLY_AMOUNTS),
        fund: this.#pick(OPEN_FUNDS),
      }));
  }

  live(day: number): void {
    const date = new Date(this.#today - day * DAY);
    const known = this.#donors.filter(({ since }) => since > day);
    for (const { donor, since } of this.#donors) {
      if (since === day)
        this.#note(ACTIVITY_ORIGINS.System, `${nameOf(donor)} was added as a donor`, donor.created);
    }
    if (known.length === 0) return;
    const monthly = this.#regulars
      .filter(({ since, until, on }) => since > day && until < day && on === date.getUTCDate())
      .map(({ donor, amount, fund }): Giving => ({
        donor,
        frequency: 'monthly',
        total: amount,
        fund,
        created: this.#moment(day),
      }));
    const single = Array.from(
      { length: Math.floor(SEASON[date.getUTCMonth()]! * 2 * this.#random() + 0.5) },
      (): Giving => ({
        donor: this.#pick(known).donor,
        frequency: 'once',
        total: this.#pick(AMOUNTS),
        fund: this.#pick(OPEN_FUNDS),
        created: this.#moment(day),
      }),
    );
    for (const giving of [...monthly, ...single].sort((a, b) => a.created.localeCompare(b.created)))
      this.#give(giving, day);
    if (this.#chance(0.06))
      this.#note(
        this.#pick(ROUTINE_ORIGINS),
        `${nameOf(this.#pick(known).donor)} ${this.#pick(ROUTINE)}`,
        this.#moment(day),
      );
  }

  #meet(index: number): Acquaintance {
    const since = Math.floor((DAYS - 8) * (1 - index / DONORS)) + 7;
    const created = this.#moment(since);
    const firstName = this.#pick(FIRST_NAMES);
    const lastName = this.#pick(LAST_NAMES);
    const [city, state, postal] = this.#pick(PLACES);
    const donor = this.#store.addDonor({
      firstName,
      lastName,
      created,
      modified: created,
      isActive: !this.#chance(0.06),
      organization: this.#chance(0.05) ? this.#pick(ORGANIZATIONS) : '',
      email:
        `${firstName}.${lastName}${index + 1}@${this.#chance(0.6) ? 'example.org' : 'mail.example'}`.toLowerCase(),
      phone: this.#chance(0.4) ? `+1 555 01${String(index % 100).padStart(2, '0')}` : '',
      crmKey: `CRM-${4_000 + index * 7}`,
      code: this.#chance(0.1) ? 'MAJOR' : '',
      address: {
        address1: `${Math.ceil(this.#random() * 180)} ${this.#pick(STREETS)}`,
        city,
        state,
        postal,
        country: 'US',
      },
    });
    return { donor, since };
  }

  #give({ donor, frequency, total, fund, created }: Giving, day: number): void {
    this.#gifts += 1;
    const isSingle = frequency === 'once';
    const isTest = this.#chance(0.008);
    const status = statusFor(this.#random());
    const gift: Unnumbered<Gift> = {
      reference: `LW-${10_000 + this.#gifts}`,
      donorId: donor.id,
      total,
      currency: 'USD',
      frequency,
      status,
      isTest,
      isDeleted: isTest && this.#chance(0.5),
      method: isSingle && this.#chance(0.05) ? 'check' : this.#pick(METHODS),
      isAnonymous: this.#chance(0.04),
      comment: this.#chance(0.03) ? this.#pick(COMMENTS) : '',
      segment: isSingle ? this.#pick(SEGMENTS) : '',
      campaignId: campaignOn(created.slice(0, 10), frequency, this.#random())?.id ?? null,
      allocations: [{ code: fund.code, name: fund.name, amount: total }],
      customFields: [],
      created,
      modified:
        status === GIFT_STATUSES.Approved
          ? created
          : new Date(Math.min(Date.parse(created) + 3 * DAY, this.#today)).toISOString(),
    };
    this.#store.addGift(gift, '{}', {
      origin: ACTIVITY_ORIGINS.Giving,
      displayText: giftText(gift, donor),
      date: created,
    });
    if (Number(total) >= 500)
      this.#note(
        ACTIVITY_ORIGINS.Team,
        `${nameOf(donor)} was thanked by telephone`,
        this.#moment(Math.max(day - 2, 1)),
      );
  }

  #note(origin: number, displayText: string, date: string): void {
    this.#store.addActivity({ origin, displayText, date });
  }

  /** A whole second between 6 and 22 o'clock. */
  #moment(day: number): string {
    const seconds = Math.floor((6 + this.#random() * 16) * 3_600);
    return new Date(this.#today - day * DAY + seconds * 1_000).toISOString();
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

function nameOf({ firstName, lastName }: Donor): string {
  return `${firstName} ${lastName}`;
}

function campaignOn(date: string, frequency: string, chance: number): Campaign | undefined {
  if (frequency === 'monthly')
    return campaigns.find(({ id, startDate }) => id === 103 && startDate <= date);
  const running = campaigns.filter(
    ({ id, startDate, endDate }) =>
      id !== 103 && id !== 106 && startDate <= date && date <= endDate,
  );
  return running[Math.floor(chance * (running.length + 1))];
}

function statusFor(chance: number): GiftStatus {
  if (chance < 0.94) return GIFT_STATUSES.Approved;
  if (chance < 0.965) return GIFT_STATUSES.Declined;
  if (chance < 0.985) return GIFT_STATUSES.Refunded;
  return chance < 0.993 ? GIFT_STATUSES.Pending : GIFT_STATUSES.Disputed;
}
