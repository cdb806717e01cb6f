/** Warns page authors that the page already has another version of the script. */
export function warnAboutVersion(usedVersion: string | undefined, ignoredVersion: string): void {
  console.warn(
    `donation-form: This page already has version ${usedVersion ?? 'unknown'}, so version ` +
      `${ignoredVersion} is ignored. Remove one of the two script tags.`,
  );
}
