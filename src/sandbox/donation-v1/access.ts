import { Buffer } from 'node:buffer';
import { refusal } from '../lib/request-parsing.ts';

/** A license key of an application ('What the service does'). */
export interface V1Key {
  /** Unique within the application. */
  readonly name: string;
  readonly key: string;
  readonly access: 'read-only' | 'read/write';
}

/** An API application, which holds license keys. */
export interface V1Application {
  /** Unique. */
  readonly name: string;
  readonly description?: string;
  /** Whether its keys can be used. */
  readonly active: boolean;
  readonly keys: readonly V1Key[];
}

/** Who may use the basic-key interface ('Authentication'). */
export class V1Access {
  readonly #organizationKey: string | undefined;
  #applications: readonly V1Application[];

  /** @throws where two applications, or two keys of one, have the same name. */
  constructor(organizationKey: string | undefined, applications: readonly V1Application[]) {
    this.#organizationKey = organizationKey;
    this.#applications = applications;
    for (const names of [applications, ...applications.map(({ keys }) => keys)].map((named) =>
      named.map(({ name }) => name),
    )) {
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined)
        throw new Error(
          `Two applications, or two keys of one, have the name '${twice}'; names are unique.`,
        );
    }
  }

  /** The applications, with the names and the access of their keys; never the keys. */
  get list(): readonly object[] {
    return this.#applications.map(({ keys, ...application }) => ({
      ...application,
      keys: keys.map(({ name, access }) => ({ name, access })),
    }));
  }

  /**
   * @throws a refusal where the headers name no key that can be used, or where the key may read
   *   only and the call writes.
   */
  check(headers: Headers, isWrite: boolean): void {
    const organizationKey = headers.get('X-OrganizationKey');
    if (organizationKey === null) throw refusal('The header X-OrganizationKey is missing.', 401);
    if (this.#organizationKey === undefined || organizationKey !== this.#organizationKey)
      throw refusal('X-OrganizationKey names no organization.', 401);
    const written = /^Basic +(\S+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
    if (written === undefined)
      throw refusal('This request needs a license key: Authorization: Basic <LICENSE_KEY>.', 401);
    const spellings = [written, Buffer.from(written, 'base64').toString()];
    for (const { name, active, keys } of this.#applications) {
      const found = keys.find(({ key }) => spellings.includes(key));
      if (!found) continue;
      if (!active)
        throw refusal(
          `The application '${name}' is inactive; its license keys cannot be used.`,
          401,
        );
      if (isWrite && found.access === 'read-only')
        throw refusal(`The license key '${found.name}' is read-only.`, 403);
      return;
    }
    throw refusal('The license key is unknown or revoked.', 401);
  }

  /** @throws a refusal where there is no such application, as do `remove` and `revoke`. */
  setActive(name: string, active: boolean): void {
    this.#change(name, (application) => [{ ...application, active }]);
  }

  /** Deletes an application, which revokes all its keys. */
  remove(name: string): void {
    this.#change(name, () => []);
  }

  revoke(name: string, keyName: string): void {
    this.#change(name, (application) => {
      const keys = application.keys.filter((key) => key.name !== keyName);
      if (keys.length === application.keys.length)
        throw refusal(`The application '${name}' has no key '${keyName}'.`, 404);
      return [{ ...application, keys }];
    });
  }

  #change(name: string, change: (application: V1Application) => readonly V1Application[]): void {
    if (!this.#applications.some((application) => application.name === name))
      throw refusal(`There is no application '${name}'.`, 404);
    this.#applications = this.#applications.flatMap((application) =>
      application.name === name ? change(application) : [application],
    );
  }
}
