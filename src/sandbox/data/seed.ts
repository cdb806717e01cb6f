import type { Campaign, Fund, Product } from './records.ts';

/** The fictional organization that the sandbox serves. */
export const ORGANIZATION = 'Lanternwell';

/** The organization's campaigns. */
export const campaigns: readonly Campaign[] = [
  {
    id: 101,
    name: 'Winter Wells',
    description: 'Deep wells for six villages before the dry season',
    startDate: '2026-10-01',
    endDate: '2027-01-31',
    givingGoal: 180_000,
    avgGiftGoal: 85,
  },
  {
    id: 102,
    name: 'Taps at School',
    description: 'Clean water and washrooms at twelve schools',
    startDate: '2026-08-15',
    endDate: '2027-06-30',
    givingGoal: 95_000,
    avgGiftGoal: 60,
  },
  {
    id: 103,
    name: 'Monthly Springs',
    description: 'Monthly donors who keep every pump running',
    startDate: '2025-01-01',
    endDate: '2027-12-31',
    givingGoal: 240_000,
    avgGiftGoal: 22,
  },
  {
    id: 104,
    name: 'Flood Response',
    description: 'Water purification after the spring floods',
    startDate: '2026-03-12',
    endDate: '2026-07-31',
    givingGoal: 60_000,
    avgGiftGoal: 110,
  },
  {
    id: 105,
    name: 'River Watch',
    description: 'Volunteers who test the water of 40 rivers',
    startDate: '2026-04-01',
    endDate: '2027-03-31',
    givingGoal: 35_000,
    avgGiftGoal: 40,
  },
  {
    id: 106,
    name: 'Legacy Circle',
    description: 'Gifts left in wills',
    startDate: '2024-01-01',
    endDate: '2028-12-31',
    givingGoal: 500_000,
    avgGiftGoal: 5_000,
  },
];

const FOUNDED = '2021-02-01T00:00:00.000Z';

/** The organization's projects, which the basic-key interface calls funds. */
export const funds: readonly Fund[] = [
  {
    id: 1,
    code: 'GENERAL',
    name: 'Where it is needed most',
    description: 'Whatever the water teams need most this month',
    isActive: true,
    created: FOUNDED,
  },
  {
    id: 2,
    code: 'WATER',
    name: 'Village wells',
    description: 'New wells, drilled and lined',
    isActive: true,
    created: FOUNDED,
  },
  {
    id: 3,
    code: 'SCHOOL',
    name: 'Taps at schools',
    description: 'Taps, tanks, and washrooms in schoolyards',
    isActive: true,
    created: FOUNDED,
  },
  {
    id: 4,
    code: 'RIVER',
    name: 'River watch',
    description: 'Water test kits for river volunteers',
    isActive: true,
    created: '2024-04-01T00:00:00.000Z',
  },
  {
    id: 5,
    code: 'REPAIR',
    name: 'Pump repairs',
    description: 'Seals, rods, and the work of repair crews',
    isActive: true,
    created: FOUNDED,
  },
  {
    id: 6,
    code: 'FLOOD',
    name: 'Flood response',
    description: 'Water purification after the spring floods',
    isActive: false,
    created: '2026-03-12T00:00:00.000Z',
  },
];

export const products: readonly Product[] = [
  { id: 1, code: 'FILTER', name: 'Water filter', price: 35, isActive: true, created: FOUNDED },
  { id: 2, code: 'PUMP', name: 'Hand pump', price: 420, isActive: true, created: FOUNDED },
  { id: 3, code: 'TANK', name: 'Rain tank', price: 180, isActive: false, created: FOUNDED },
];
