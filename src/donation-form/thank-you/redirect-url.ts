/** The site's own thank-you, where the element names one that can be gone to. */
export function redirectUrl(given: string | null | undefined): string | undefined {
  if (!given) return undefined;
  const address = URL.canParse(given, document.baseURI)
    ? new URL(given, document.baseURI)
    : undefined;
  if (address && /^https?:$/.test(address.protocol)) return address.href;
  console.warn(
    `donation-form: thanks-url is ${JSON.stringify(given)}, and no web address, so the form thanks by itself. Expected one such as https://example.org/thanks or /thanks.`,
  );
  return undefined;
}
