import { ACTIVITY_ORIGINS, GIFT_STATUSES, type GiftStatus } from './enumerations.ts';
import { formatGiftActivity } from './gift-text.ts';
import { createRandomGenerator } from './random.ts';
import type { Campaign, Donor, Fund, Gift, NewRecord } from './records.ts';
import { campaigns, funds } from './seed.ts';
import type { SandboxStore } from './store.ts';

const DAY = 86_400_000;
const HISTORY_DAYS = 730;
const DONOR_COUNT = 220;
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
const CITIES = [
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
/** Average number of one-time gifts per day, by month. */
const ONE_TIME_GIFTS_PER_DAY = [1.2, 0.9, 1.4, 1.2, 1, 0.8, 0.7, 0.8, 1.3, 1.6, 2.4, 4.2];

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
const ACTIVE_FUNDS = funds.filter(({ isActive }) => isActive);
const DONOR_CHANGE_ORIGINS = [
  ACTIVITY_ORIGINS.DonorPortal,
  ACTIVITY_ORIGINS.Donor,
  ACTIVITY_ORIGINS.CRM,
];
const DONOR_CHANGES = [
  'changed their postal address',
  'changed their email address',
  'requested their annual receipt',
];

/**
 * Inserts two years of a fictional organization's donors, gifts, and activities, up to the day
 * before `now`. The result is the same for every `now` on the same UTC day.
 */
export function seedHistory(store: SandboxStore, now: Date): void {
  const simulation = new HistorySimulation(store, Math.floor(now.getTime() / DAY) * DAY);
  for (let day = HISTORY_DAYS; day >= 1; day -= 1) simulation.simulateDay(day);
}

/** A donor and the day of the first contact, as the number of days before today. */
interface SeededDonor {
  readonly donor: Donor;
  readonly firstContactDay: number;
}

interface MonthlyDonor extends SeededDonor {
  /**
   * Day of the donor's last gift, as the number of days before today, or 0 if the donor still
   * gives.
   */
  readonly lastGiftDay: number;
  /** Day of the month on which the donor gives, from 1 to 28. */
  readonly dayOfMonth: number;
  readonly amount: string;
  readonly fund: Fund;
}

interface PlannedGift {
  readonly donor: Donor;
  readonly frequency: 'once' | 'monthly';
  readonly total: string;
  readonly fund: Fund;
  readonly created: string;
}

/** Simulates the organization's history day by day. Each day is the number of days before today. */
class HistorySimulation {
  readonly #store: SandboxStore;
  readonly #today: number;
  readonly #random = createRandomGenerator(SEED);
  readonly #donors: readonly SeededDonor[];
  readonly #monthlyDonors: readonly MonthlyDonor[];
  #giftCount = 0;

  constructor(store: SandboxStore, today: number) {
    this.#store = store;
    this.#today = today;
    this.#donors = Array.from({ length: DONOR_COUNT }, (_, index) => this.#createDonor(index));
    this.#monthlyDonors = this.#donors
      .filter((_, index) => index % 5 === 0)
      .map(({ donor, firstContactDay }) => ({
        donor,
        firstContactDay,
        lastGiftDay: this.#drawBoolean(0.25) ? Math.floor(firstContactDay * this.#random()) : 0,
        dayOfMonth: Math.ceil(this.#random() * 28),
        amount: this.#pickRandom(MONTHLY_AMOUNTS),
        fund: this.#pickRandom(ACTIVE_FUNDS),
      }));
  }

  simulateDay(day: number): void {
    const date = new Date(this.#today - day * DAY);
    const knownDonors = this.#donors.filter(({ firstContactDay }) => firstContactDay > day);
    for (const { donor, firstContactDay } of this.#donors) {
      if (firstContactDay === day)
        this.#insertActivity(
          ACTIVITY_ORIGINS.System,
          `${formatDonorName(donor)} was added as a donor`,
          donor.created,
        );
    }
    if (knownDonors.length === 0) return;
    const monthlyGifts = this.#monthlyDonors
      .filter(
        ({ firstContactDay, lastGiftDay, dayOfMonth }) =>
          firstContactDay > day && lastGiftDay < day && dayOfMonth === date.getUTCDate(),
      )
      .map(({ donor, amount, fund }): PlannedGift => ({
        donor,
        frequency: 'monthly',
        total: amount,
        fund,
        created: this.#pickRandomTime(day),
      }));
    const oneTimeGifts = Array.from(
      {
        length: Math.floor(ONE_TIME_GIFTS_PER_DAY[date.getUTCMonth()]! * 2 * this.#random() + 0.5),
      },
      (): PlannedGift => ({
        donor: this.#pickRandom(knownDonors).donor,
        frequency: 'once',
        total: this.#pickRandom(AMOUNTS),
        fund: this.#pickRandom(ACTIVE_FUNDS),
        created: this.#pickRandomTime(day),
      }),
    );
    for (const gift of [...monthlyGifts, ...oneTimeGifts].sort((a, b) =>
      a.created.localeCompare(b.created),
    ))
      this.#insertGift(gift, day);
    if (this.#drawBoolean(0.06))
      this.#insertActivity(
        this.#pickRandom(DONOR_CHANGE_ORIGINS),
        `${formatDonorName(this.#pickRandom(knownDonors).donor)} ${this.#pickRandom(DONOR_CHANGES)}`,
        this.#pickRandomTime(day),
      );
  }

  #createDonor(index: number): SeededDonor {
    const firstContactDay = Math.floor((HISTORY_DAYS - 8) * (1 - index / DONOR_COUNT)) + 7;
    const created = this.#pickRandomTime(firstContactDay);
    const firstName = this.#pickRandom(FIRST_NAMES);
    const lastName = this.#pickRandom(LAST_NAMES);
    const [city, state, postal] = this.#pickRandom(CITIES);
    const donor = this.#store.insertDonor({
      firstName,
      lastName,
      created,
      modified: created,
      isActive: !this.#drawBoolean(0.06),
      organization: this.#drawBoolean(0.05) ? this.#pickRandom(ORGANIZATIONS) : '',
      email:
        `${firstName}.${lastName}${index + 1}@${this.#drawBoolean(0.6) ? 'example.org' : 'mail.example'}`.toLowerCase(),
      phone: this.#drawBoolean(0.4) ? `+1 555 01${String(index % 100).padStart(2, '0')}` : '',
      crmKey: `CRM-${4_000 + index * 7}`,
      code: this.#drawBoolean(0.1) ? 'MAJOR' : '',
      address: {
        address1: `${Math.ceil(this.#random() * 180)} ${this.#pickRandom(STREETS)}`,
        city,
        state,
        postal,
        country: 'US',
      },
    });
    return { donor, firstContactDay };
  }

  #insertGift({ donor, frequency, total, fund, created }: PlannedGift, day: number): void {
    this.#giftCount += 1;
    const isOneTime = frequency === 'once';
    const isTest = this.#drawBoolean(0.008);
    const status = pickGiftStatus(this.#random());
    const gift: NewRecord<Gift> = {
      reference: `LW-${10_000 + this.#giftCount}`,
      donorId: donor.id,
      total,
      currency: 'USD',
      frequency,
      status,
      isTest,
      isDeleted: isTest && this.#drawBoolean(0.5),
      method: isOneTime && this.#drawBoolean(0.05) ? 'check' : this.#pickRandom(METHODS),
      isAnonymous: this.#drawBoolean(0.04),
      comment: this.#drawBoolean(0.03) ? this.#pickRandom(COMMENTS) : '',
      segment: isOneTime ? this.#pickRandom(SEGMENTS) : '',
      campaignId: pickCampaign(created.slice(0, 10), frequency, this.#random())?.id ?? null,
      allocations: [{ code: fund.code, name: fund.name, amount: total }],
      customFields: [],
      created,
      modified:
        status === GIFT_STATUSES.Approved
          ? created
          : new Date(Math.min(Date.parse(created) + 3 * DAY, this.#today)).toISOString(),
    };
    this.#store.insertGift(gift, '{}', {
      origin: ACTIVITY_ORIGINS.Giving,
      displayText: formatGiftActivity(gift, donor),
      date: created,
    });
    if (Number(total) >= 500)
      this.#insertActivity(
        ACTIVITY_ORIGINS.Team,
        `${formatDonorName(donor)} was thanked by phone`,
        this.#pickRandomTime(Math.max(day - 2, 1)),
      );
  }

  #insertActivity(origin: number, displayText: string, date: string): void {
    this.#store.insertActivity({ origin, displayText, date });
  }

  /** Returns a random time on the given day, between 06:00 and 22:00 UTC, in whole seconds. */
  #pickRandomTime(day: number): string {
    const seconds = Math.floor((6 + this.#random() * 16) * 3_600);
    return new Date(this.#today - day * DAY + seconds * 1_000).toISOString();
  }

  #pickRandom<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  #drawBoolean(probability: number): boolean {
    return this.#random() < probability;
  }
}

function formatDonorName({ firstName, lastName }: Donor): string {
  return `${firstName} ${lastName}`;
}

function pickCampaign(date: string, frequency: string, random: number): Campaign | undefined {
  if (frequency === 'monthly')
    return campaigns.find(({ id, startDate }) => id === 103 && startDate <= date);
  const running = campaigns.filter(
    ({ id, startDate, endDate }) =>
      id !== 103 && id !== 106 && startDate <= date && date <= endDate,
  );
  return running[Math.floor(random * (running.length + 1))];
}

function pickGiftStatus(random: number): GiftStatus {
  if (random < 0.94) return GIFT_STATUSES.Approved;
  if (random < 0.965) return GIFT_STATUSES.Declined;
  if (random < 0.985) return GIFT_STATUSES.Refunded;
  return random < 0.993 ? GIFT_STATUSES.Pending : GIFT_STATUSES.Disputed;
}
