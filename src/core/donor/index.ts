export * from './address.ts';
export * from './card-number.ts';
export * from './contains-personal-data.ts';
export * from './custom-field.ts';
export * from './donor-inputs.ts';
export * from './donor.ts';
export * from './email.ts';
export * from './suggest-email.ts';
