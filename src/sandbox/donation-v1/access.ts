import { Buffer } from 'node:buffer';
import { createRequestError } from '../lib/request-parsing.ts';

/** An API application's license key (specification, "What the service does"). */
export interface V1Key {
  /** Name of the key, unique within the application. */
  readonly name: string;
  readonly key: string;
  readonly access: 'read-only' | 'read/write';
}

/** An API application and its license keys. */
export interface V1Application {
  /** Unique. */
  readonly name: string;
  readonly description?: string;
  /** If false, the API rejects the application's keys. */
  readonly active: boolean;
  readonly keys: readonly V1Key[];
}

/** Controls access to the basic-key interface (specification, "Authentication"). */
export class V1Access {
  readonly #organizationKey: string | undefined;
  #applications: readonly V1Application[];

  /** @throws Error if two applications, or two keys of an application, have the same name. */
  constructor(organizationKey: string | undefined, applications: readonly V1Application[]) {
    this.#organizationKey = organizationKey;
    this.#applications = applications;
    for (const names of [applications, ...applications.map(({ keys }) => keys)].map((named) =>
      named.map(({ name }) => name),
    )) {
      const duplicate = names.find((name, index) => names.indexOf(name) !== index);
      if (duplicate !== undefined)
        throw new Error(
          `The name '${duplicate}' is used more than once. Give each application a unique name, ` +
            'and give each key a unique name within its application.',
        );
    }
  }

  /** Lists the applications with each key's name and access level. Omits the secret key values. */
  get applications(): readonly object[] {
    return this.#applications.map(({ keys, ...application }) => ({
      ...application,
      keys: keys.map(({ name, access }) => ({ name, access })),
    }));
  }

  /**
   * Checks the keys in a request's headers.
   * @throws HTTPException if the headers contain no valid key, or if a write request uses a
   *   read-only key.
   */
  authorizeRequest(headers: Headers, isWrite: boolean): void {
    const organizationKey = headers.get('X-OrganizationKey');
    if (organizationKey === null)
      throw createRequestError('The X-OrganizationKey header is missing.', 401);
    if (this.#organizationKey === undefined || organizationKey !== this.#organizationKey)
      throw createRequestError(
        'The X-OrganizationKey header does not match any organization.',
        401,
      );
    const credentials = /^Basic +(\S+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
    if (credentials === undefined)
      throw createRequestError(
        'This request requires a license key: Authorization: Basic <LICENSE_KEY>.',
        401,
      );
    const candidates = [credentials, Buffer.from(credentials, 'base64').toString()];
    for (const { name, active, keys } of this.#applications) {
      const licenseKey = keys.find(({ key }) => candidates.includes(key));
      if (!licenseKey) continue;
      if (!active)
        throw createRequestError(
          `The application '${name}' is inactive. ` +
            "Activate the application, or use another application's license key.",
          401,
        );
      if (isWrite && licenseKey.access === 'read-only')
        throw createRequestError(
          `The license key '${licenseKey.name}' is read-only. Use a key with write access.`,
          403,
        );
      return;
    }
    throw createRequestError('The license key is unknown or revoked.', 401);
  }

  /** @throws HTTPException if the application does not exist. */
  setApplicationActive(name: string, active: boolean): void {
    this.#replaceApplication(name, (application) => [{ ...application, active }]);
  }

  /**
   * Deletes an application and revokes all its keys.
   * @throws HTTPException if the application does not exist.
   */
  deleteApplication(name: string): void {
    this.#replaceApplication(name, () => []);
  }

  revokeKey(name: string, keyName: string): void {
    this.#replaceApplication(name, (application) => {
      const keys = application.keys.filter((key) => key.name !== keyName);
      if (keys.length === application.keys.length)
        throw createRequestError(`The application '${name}' has no key '${keyName}'.`, 404);
      return [{ ...application, keys }];
    });
  }

  #replaceApplication(
    name: string,
    replace: (application: V1Application) => readonly V1Application[],
  ): void {
    if (!this.#applications.some((application) => application.name === name))
      throw createRequestError(`The application '${name}' does not exist.`, 404);
    this.#applications = this.#applications.flatMap((application) =>
      application.name === name ? replace(application) : [application],
    );
  }
}
