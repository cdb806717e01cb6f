import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { DonationFormElement } from '../../../src/donation-form/form/donation-form.ts';
import { extractCodeBlocks } from '../../../test/code-blocks.ts';
import {
  expect,
  fillCard,
  fillDonor,
  findForm,
  findFreePort,
  findSubmitButton,
  readReference,
  test,
  World,
} from '../../../test/e2e/world.ts';
import { listComputedStyles } from '../../../test/list-computed-styles.ts';
import { OWNER, PLUGIN, startWordPress, type WordPress } from './wordpress.ts';

/** Attributes that only scripts and debugging need. */
const ELEMENT_ONLY = ['settings-key', 'debug'];

const PAGES = {
  Story: `<!-- wp:html --><h1>A</h1><h2>B</h2><h3>C</h3>
    <p>A <strong>b</strong> <em>c</em> <code>d</code> <small>e</small> <mark>f</mark> <a href="#a">g</a></p>
    <hr><blockquote>A</blockquote><pre>A</pre><ul><li>A</li></ul><ol><li>A</li></ol>
    <dl><dt>A</dt><dd>B</dd></dl><table><tbody><tr><th>A</th><td>B</td></tr></tbody></table>
    <details open><summary>A</summary></details>
    <form><fieldset><legend>A</legend><label>A <input name="a"></label><input type="checkbox"><input type="radio">
    <select><option>A</option></select><textarea></textarea><button>A</button><progress></progress></fieldset></form><!-- /wp:html -->
    <!-- wp:donation-form/form {"frequency":"monthly"} /-->`,
  Hostile: `<!-- wp:donation-form/form {"amount":"75\\u0022\\u003e\\u003cimg src=x onerror=window.hacked=1\\u003e","segment":"[donation_form amount=5]"} /-->
    <!-- wp:shortcode -->[donation_form amount='75" onfocus="window.hacked=1' segment="x' onfocus='window.hacked=1" project="&quot;&gt;&lt;img src=x onerror=window.hacked=1&gt;" ignore-params="a, b" keep-url-params]<a href="/post">By post</a><img src="x" onerror="window.hacked=1">[/donation_form]<!-- /wp:shortcode -->
    <!-- wp:shortcode -->[donation_form keep-url-params="false" cover-costs][/donation_form]<!-- /wp:shortcode -->
    <!-- wp:shortcode -->[donation_form endpoint="https://elsewhere.example" ammount="5"]<a href="/bank">By bank</a>[/donation_form]<!-- /wp:shortcode -->
    <!-- wp:shortcode -->[donation_form]<div data-donation-form data-endpoint="https://evil.example">By me</div>[/donation_form]<!-- /wp:shortcode -->`,
  Campaigns: `<!-- wp:shortcode -->[raise-donors campaignId="102" display="form"]<!-- /wp:shortcode -->
    <!-- wp:shortcode -->[raise-donors campaignid=101 display=full]<!-- /wp:shortcode -->
    <!-- wp:shortcode -->[raise-donors]<!-- /wp:shortcode -->`,
  Plain: '<!-- wp:paragraph --><p>No form is here.</p><!-- /wp:paragraph -->',
};

let siteUrl: string;
let world: World;
let site: WordPress;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  siteUrl = `http://127.0.0.1:${await findFreePort()}`;
  world = await World.open(undefined, { origins: [siteUrl] });
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${world.endpoint} ${world.sandbox}`,
    `connect-src 'self' ${world.endpoint} ${world.sandbox}`,
    `frame-src ${world.sandbox}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
  ].join('; ');
  site = await startWordPress({ url: siteUrl, pages: PAGES, policy });
});

test.afterAll(async () => {
  await site.stop();
  await world.close();
});

function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  return errors;
}

const fetchHtml = async (page: string): Promise<string> => (await fetch(page)).text();
const findScriptTags = (html: string): string[] =>
  html.match(/<script[^>]*donation-form\.js[^>]*>/g) ?? [];

test('PHP can parse every file of the plugin', () => {
  const files = readdirSync(PLUGIN, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.php'),
  );
  expect(files.length).toBeGreaterThan(8);
  for (const file of files)
    expect(spawnSync('php', ['-l', join(PLUGIN, file)], { encoding: 'utf8' }).stdout).toContain(
      'No syntax errors',
    );
});

test('a site owner configures the endpoint, inserts the block, and publishes it; a visitor donates', async ({
  page,
  context,
}) => {
  const errors = collectConsoleErrors(page);
  await page.goto(`${siteUrl}/wp-login.php`);
  const username = page.getByLabel('Username or Email Address');
  // WordPress moves the focus there after 200 ms, even from the field that is being filled.
  await expect(username).toBeFocused();
  await username.fill(OWNER.name);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  await page.goto(`${siteUrl}/wp-admin/post-new.php?post_type=page`);
  await page.getByRole('textbox', { name: 'Add title' }).fill('Give');
  await page.getByRole('button', { name: 'Toggle block inserter' }).click();
  await page.getByPlaceholder('Search').fill('Donation form');
  await page.getByRole('option', { name: 'Donation form' }).click();
  const block = page.locator('.wp-block-donation-form-form');
  await expect(block).toContainText('Set the server’s URL once for this site');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('Draft saved.').first()).toBeVisible();

  const [settings] = await Promise.all([
    page.waitForEvent('popup'),
    block.getByRole('button', { name: 'Set the URL' }).click(),
  ]);
  await settings.getByRole('button', { name: 'Save Changes' }).waitFor();
  const names = await settings
    .locator('form [name^="donation_form["]')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).name.slice(14, -1)));
  expect(names.sort()).toEqual(
    [
      ...DonationFormElement.observedAttributes.filter((name) => !ELEMENT_ONLY.includes(name)),
      'fallback',
      'campaign-forms',
    ].sort(),
  );
  const saveEndpoint = async (endpoint: string): Promise<void> => {
    await settings.getByRole('textbox', { name: 'Donation server' }).fill(endpoint);
    await settings.getByRole('button', { name: 'Save Changes' }).click();
  };
  await saveEndpoint('http://give.example.org/donation-form.js?a=1');
  await expect(
    settings.getByText('The URL “http://give.example.org/donation-form.js?a=1” was not saved.'),
  ).toContainText('Enter a URL such as https://give.example.org');
  await expect(settings.getByRole('textbox', { name: 'Donation server' })).toHaveValue(
    'http://give.example.org/donation-form.js?a=1',
  );
  await saveEndpoint(world.sandbox);
  await expect(
    settings.getByText(`${world.sandbox} responds, but it is not a donation server.`),
  ).toBeVisible();
  await saveEndpoint('give.example.org');
  await expect(settings.getByText('The URL “give.example.org” was not saved.')).toContainText(
    `This site’s forms still use ${world.sandbox}.`,
  );
  await expect(settings.getByText('is not a donation server')).toHaveCount(0);
  await expect(settings.getByRole('textbox', { name: 'Donation server' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await settings.reload();
  await expect(settings.getByRole('textbox', { name: 'Donation server' })).toHaveValue(
    world.sandbox,
  );
  await page.reload();
  await expect(block).toContainText(`Cannot load the form from ${world.sandbox}.`);
  await settings.getByLabel('Amount', { exact: true }).fill('75');
  await settings.getByLabel('Other ways to give').fill('https://example.org/other-ways?a=1&b=2');
  await settings.getByLabel('Campaign forms').fill('101=winter , 102="river"');
  await saveEndpoint(`${world.endpoint}/`);
  await expect(settings.getByText('The server is running and allows this site.')).toBeVisible();
  await expect(settings.getByRole('textbox', { name: 'Donation server' })).toHaveValue(
    world.endpoint,
  );
  await settings.close();

  errors.length = 0;
  await page.reload();
  const preview = block.locator('donation-form');
  const button = preview.locator('button[type=submit]');
  await expect(button).toHaveText('Give $75');
  await preview
    .locator('.choice', { hasText: 'Soap and filters for a family' })
    .click({ force: true });
  await expect(button).toHaveText('Give $75');
  await button.evaluate((element) => (element as HTMLButtonElement).focus());
  expect(
    await button.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement),
  ).toBeNull();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Amount', { exact: true }).fill('120');
  await expect(button).toHaveText('Give $120');
  await page.getByRole('button', { name: 'Purpose' }).click();
  const project = page.getByLabel('Project', { exact: true });
  await project.fill('NOWHERE');
  await expect(
    block.getByText(
      'The form ignores these values because they are invalid or not offered: Project (NOWHERE).',
    ),
  ).toBeVisible();
  await project.fill('WATER');
  await expect(preview.getByText('Your donation supports Village wells')).toBeVisible();
  await expect(block.getByText('The form ignores these values')).toHaveCount(0);
  expect(errors).toEqual([]);
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await page.getByLabel('Form ID', { exact: true }).fill('nowhere');
  await expect(block).toContainText(
    `that "origins" in the server’s configuration includes ${siteUrl}.`,
  );
  await page.getByLabel('Form ID', { exact: true }).fill('');
  await expect(block).not.toContainText('does not provide this form');
  await expect(button).toHaveText('Give $120');
  await page.getByLabel('Donation server').fill('https://elsewhere.example');
  await expect(block).toContainText(
    `The donation server of this form is https://elsewhere.example, but this site allows only ${world.endpoint}.`,
  );
  await page.getByLabel('Donation server').fill('');
  await expect(block).not.toContainText('elsewhere');
  errors.length = 0;

  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Tablet' }).click();
  const canvas = page.frameLocator('iframe[name="editor-canvas"]');
  await expect(canvas.locator('donation-form button[type=submit]')).toHaveText('Give $120');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Desktop' }).click();
  await expect(button).toHaveText('Give $120');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .getByRole('region', { name: 'Editor publish' })
    .getByRole('button', { name: 'Publish', exact: true })
    .click();
  const published =
    (await page
      .getByRole('link', { name: 'View Page', exact: true })
      .first()
      .getAttribute('href')) ?? '';
  await page.goto(site.pages.Hostile!);
  await expect(page.getByRole('note')).toContainText([
    /The donation form is not shown because its donation server is https:\/\/elsewhere\.example/,
    /The shortcode has unknown attributes: ammount\./,
  ]);
  await expect(page.getByRole('note')).toHaveCount(2);
  await page.goto(site.pages.Campaigns!);
  for (const text of [
    'The text of the campaign’s page is not part of the form.',
    'Settings › Donation form specifies no form for campaign “”.',
  ])
    await expect(page.getByRole('note').filter({ hasText: text })).toHaveCount(1);
  for (const missing of [/\/donation-form\.js$/, /\/form\?/]) {
    await page.route(missing, (route) => route.abort());
    await page.goto(site.pages.Story!);
    await expect(page.getByRole('note')).toHaveText(
      [
        `Only authors see this: Cannot load the donation form from ${world.endpoint}.`,
        'Settings › Donation form shows whether the URL is correct',
        `and whether the server allows ${siteUrl}.`,
        'If both are fine, a Content-Security-Policy, an ad blocker,',
        'or a plugin that optimizes scripts may be blocking the form; see the browser’s console.',
      ].join(' '),
    );
    await page.unroute(missing);
  }
  // Leaving the editor sends a request to WordPress, so leave it before signing out.
  await page.goto('about:blank');
  await context.clearCookies();
  errors.length = 0;

  const html = await fetchHtml(published);
  expect(findScriptTags(html)).toEqual([
    [
      '<script type="module" data-cfasync="false" data-placeholders="off" data-no-optimize="1"',
      'data-no-defer="1" data-no-minify="1" data-nowprocket="1" data-jetpack-boost="ignore"',
      `src="${world.endpoint}/donation-form.js">`,
    ].join(' '),
  ]);
  expect(html).toContain(
    [
      '<div class="wp-block-donation-form-form">',
      `<donation-form endpoint="${world.endpoint}" amount="120" project="WATER">`,
      '<a href="https://example.org/other-ways?a=1&#038;b=2">Other ways to give</a>',
      '</donation-form></div>',
    ].join(''),
  );
  await page.addInitScript(() => {
    const references: string[] = [];
    document.addEventListener('donation-form-success', ({ reference }) => {
      references.push(reference);
    });
    Object.assign(window, { references });
  });
  await page.goto(published);
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const reference = await readReference(page);
  expect(await world.listCharges()).toMatchObject([{ amount: 12_000 }]);
  expect(
    await page.evaluate(() => (window as unknown as { references: string[] }).references),
  ).toEqual([reference]);
  expect(errors).toEqual([]);
});

test('blocks and shortcodes cannot inject markup or use another endpoint', async ({ page }) => {
  const html = await fetchHtml(site.pages.Hostile!);
  expect(findScriptTags(html)).toHaveLength(1);
  expect(html).not.toContain('elsewhere.example');
  expect(html).not.toContain('Only authors see this');
  expect(findScriptTags(await fetchHtml(site.pages.Plain!))).toEqual([]);

  await page.goto(site.pages.Hostile!);
  const attributes = await findForm(page).evaluateAll((forms) =>
    forms.map((element) =>
      Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    ),
  );
  expect(attributes).toEqual([
    {
      endpoint: world.endpoint,
      amount: '75"><img src=x onerror=window.hacked=1>',
      segment: '[donation_form amount=5]',
    },
    {
      endpoint: world.endpoint,
      amount: '75" onfocus="window.hacked=1',
      segment: "x' onfocus='window.hacked=1",
      project: '"><img src=x onerror=window.hacked=1>',
      'ignore-params': 'a, b',
      'keep-url-params': '',
    },
    { endpoint: world.endpoint, amount: '75', 'cover-costs': 'true' },
    { endpoint: world.endpoint, amount: '75' },
  ]);
  // The payment field loads when it comes near the viewport.
  await findForm(page).nth(2).locator('button[type=submit]').scrollIntoViewIfNeeded();
  await expect(
    findForm(page).nth(2).frameLocator('[slot=payment] iframe').getByLabel('Card number'),
  ).toBeVisible();
  await expect(findForm(page).nth(1).locator('a')).toHaveText('By post');
  await expect(page.getByRole('link', { name: 'By bank' })).toBeVisible();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
});

test("another vendor's shortcode shows the form of its campaign, or the default form", async () => {
  const html = await fetchHtml(site.pages.Campaigns!);
  expect(html.match(/<donation-form [^>]*>/g)).toEqual([
    `<donation-form endpoint="${world.endpoint}" form-id="&quot;river&quot;" amount="75">`,
    `<donation-form endpoint="${world.endpoint}" form-id="winter" amount="75">`,
    `<donation-form endpoint="${world.endpoint}" amount="75">`,
  ]);
  expect(html).not.toContain('[raise-donors');
  expect(html).not.toContain('Only authors see this');
});

test("the form does not change the theme's styles", async ({ page }) => {
  const readFormStyles = async (isBlocked: boolean): Promise<string[]> => {
    if (isBlocked) await page.route(`${world.endpoint}/donation-form.js`, (route) => route.abort());
    else await page.unroute(`${world.endpoint}/donation-form.js`);
    await page.goto(site.pages.Story!);
    await page.addStyleTag({
      content: 'donation-form { display: block !important; height: 300px; overflow: hidden }',
    });
    if (!isBlocked) {
      // The payment field loads when the donor uses the form, since it is clipped here.
      await findForm(page).locator('[name=email]').focus();
      await expect(
        page.frameLocator('[slot=payment] iframe').getByLabel('Card number'),
      ).toBeAttached();
    }
    return page.evaluate(
      listComputedStyles,
      'html, body, body *:not(script, donation-form, donation-form *)',
    );
  };
  const without = await readFormStyles(true);
  const beside = await readFormStyles(false);
  expect(without.length).toBeGreaterThanOrEqual(40);
  expect(beside).toEqual(without);
});

test('uninstalling the plugin removes its data, and the plugin causes no PHP notices', async () => {
  expect(await site.uninstall()).toEqual([]);
  expect(
    (await site.readErrorLog())
      .split('\n')
      .filter((line) => line.includes('plugins/donation-form')),
  ).toEqual([]);
});

test('the documented PHP snippet adds the script to every page without the plugin', async () => {
  const [block] = extractCodeBlocks('docs/install/wordpress.md').filter(
    ({ language }) => language === 'php',
  );
  expect(findScriptTags(await fetchHtml(site.pages.Plain!))).toEqual([]);
  await site.addCode(block!.code);
  expect(findScriptTags((await fetchHtml(site.pages.Plain!)).split('</head>')[0]!)).toEqual([
    '<script type="module" src="https://give.example.org/donation-form.js">',
  ]);
});
