/**
 * Signs in to the admin pages of the demo.
 * @param admin origin of the admin pages.
 * @returns the session's cookies, as in a `Set-Cookie` header.
 * @throws {Error} if the admin pages reject the key.
 */
export async function signIn(admin: string, key: string): Promise<string[]> {
  const form = await fetch(`${admin}/sign-in`);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const [token = ''] = form.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const response = await fetch(`${admin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: token },
    body: new URLSearchParams({ csrf, key, name: 'Demo', returnTo: '/builder' }),
  });
  if (response.status !== 303)
    throw new Error(`${admin}/sign-in responded with ${response.status}.`);
  return response.headers.getSetCookie();
}
