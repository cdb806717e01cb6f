/** Everything that a measurement needs: a browser, a page, and the servers of all forms. */
import { type Browser, chromium } from 'playwright';
import * as launchOptions from '../browsers.ts';
import { World } from '../e2e/world.ts';
import { AssetServer } from './asset-server.ts';
import { buildBaseline } from './build-baselines.ts';
import { createConfiguration, getPlainFormId, listAmounts } from './form-configuration.ts';
import type { Markup } from './page-functions.ts';
import { NORMAL_SIZE, type Size, type Subject, SUBJECTS } from './subjects.ts';

const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ' +
  'content="width=device-width"><title>Give</title><link rel="icon" href="data:,"><body ' +
  'style="margin: 8px"></body></html>';

/** Exact heap sizes, and no request to other machines. */
const EXTRA_ARGUMENTS = [
  '--enable-precise-memory-info',
  '--site-per-process',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** URLs of a form's files. */
export interface Files {
  readonly script: string;
  readonly style: string | undefined;
}

export class Stage {
  readonly browser: Browser;
  readonly assets: AssetServer;
  readonly #world: World;
  readonly #baselines: ReadonlyMap<string, Files>;

  private constructor({
    browser,
    assets,
    world,
    baselines,
  }: {
    readonly browser: Browser;
    readonly assets: AssetServer;
    readonly world: World;
    readonly baselines: ReadonlyMap<string, Files>;
  }) {
    this.browser = browser;
    this.assets = assets;
    this.#world = world;
    this.#baselines = baselines;
  }

  /** Builds the baselines and starts the built server with its sandbox, each in its own process. */
  static async open(): Promise<Stage> {
    const assets = await AssetServer.open();
    const baselines = await addBaselines(assets);
    const world = await World.open();
    try {
      world.pages.set('/bench', PAGE);
      await world.spawnSandbox();
      await world.spawnEndpoint(createConfiguration(world));
      const { args = [], ...options } = launchOptions.chromium;
      const browser = await chromium.launch({ ...options, args: [...args, ...EXTRA_ARGUMENTS] });
      return new Stage({ browser, assets, world, baselines });
    } catch (error) {
      // Otherwise the sandbox's process would stay.
      await world.close();
      throw error;
    }
  }

  get page(): string {
    return `${this.#world.page}/bench`;
  }

  get endpoint(): string {
    return this.#world.endpoint;
  }

  /** Adds a page with a form's snippet, as docs/install/html.md has it, and returns its URL. */
  addSnippetPage(subject: Subject): string {
    const { script } = this.getFiles(subject, NORMAL_SIZE);
    const { attributes } = this.getMarkup(subject, NORMAL_SIZE);
    this.#world.pages.set(
      '/snippet',
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Give</title><link rel="icon" href="data:,"><style>donation-form { display: block; min-height: 2000px }</style><script type="module" src="${script}"></script><donation-form form-id="${attributes['form-id']}"></donation-form></html>`,
    );
    return `${this.#world.page}/snippet`;
  }

  /** Lets Stripe.js be as large as the real one, or small again. */
  async setHeavyStripeJs(isHeavy: boolean): Promise<void> {
    await (isHeavy
      ? this.#world.addFault('stripe-js-heavy')
      : this.#world.removeFault('stripe-js-heavy'));
  }

  getFiles({ source }: Subject, { amounts }: Size): Files {
    if ('baseline' in source) return this.#baselines.get(source.baseline)!;
    const path = source.script.replace('FORM', getFormId(source.form, amounts));
    return { script: `${this.endpoint}/${path}`, style: undefined };
  }

  /** Returns the forms' elements on the page. */
  getMarkup({ source }: Subject, { amounts, forms }: Size): Markup {
    if ('form' in source) {
      return {
        forms,
        attributes: { endpoint: this.endpoint, 'form-id': getFormId(source.form, amounts) },
      };
    }
    const isNormal = amounts === NORMAL_SIZE.amounts;
    const settings = isNormal ? {} : { amounts: listAmounts(amounts) };
    return { forms, attributes: { settings: JSON.stringify(settings) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.#world.close();
    await this.assets[Symbol.asyncDispose]();
  }
}

const getFormId = (form: string, amounts: number): string =>
  form === 'plain' ? getPlainFormId(amounts) : form;

/** Builds the baselines and adds their files to the server. */
async function addBaselines(assets: AssetServer): Promise<Map<string, Files>> {
  const baselines = new Map<string, Files>();
  for (const { source } of SUBJECTS) {
    if (!('baseline' in source)) continue;
    const { baseline } = source;
    const [name = ''] = baseline.split('.');
    const { script, style } = await buildBaseline(baseline);
    baselines.set(baseline, {
      script: assets.addAsset(name, 'js', script),
      style: style === undefined ? undefined : assets.addAsset(name, 'css', style),
    });
  }
  return baselines;
}
