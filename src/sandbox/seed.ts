export interface Campaign {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly givingGoal: number;
  readonly avgGiftGoal: number;
}

/** The campaigns of the organisation that the sandbox pretends to serve. Amounts in major units. */
export const campaigns: readonly Campaign[] = [
  { id: 101, name: 'Winter Wells', description: 'Deep wells for six villages before the dry season', startDate: '2026-10-01', endDate: '2027-01-31', givingGoal: 180_000, avgGiftGoal: 85 },
  { id: 102, name: 'Taps at School', description: 'Clean water and washrooms at twelve schools', startDate: '2026-08-15', endDate: '2027-06-30', givingGoal: 95_000, avgGiftGoal: 60 },
  { id: 103, name: 'Monthly Springs', description: 'Regular givers who keep every pump in repair', startDate: '2025-01-01', endDate: '2027-12-31', givingGoal: 240_000, avgGiftGoal: 22 },
  { id: 104, name: 'Flood Response', description: 'Water purification after the spring floods', startDate: '2026-03-12', endDate: '2026-07-31', givingGoal: 60_000, avgGiftGoal: 110 },
  { id: 105, name: 'River Watch', description: 'Volunteers who test the water of 40 rivers', startDate: '2026-04-01', endDate: '2027-03-31', givingGoal: 35_000, avgGiftGoal: 40 },
  { id: 106, name: 'Legacy Circle', description: 'Gifts in wills', startDate: '2024-01-01', endDate: '2028-12-31', givingGoal: 500_000, avgGiftGoal: 5_000 },
];
