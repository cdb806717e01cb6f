/** Names of the drawings that the form can show beside a gift's impact. */
export const IMPACT_DRAWINGS = [
  'heart',
  'book',
  'bowl',
  'drop',
  'flask',
  'house',
  'paw',
  'people',
  'pulse',
  'sprout',
  'wrench',
] as const;
export type ImpactDrawing = (typeof IMPACT_DRAWINGS)[number];
