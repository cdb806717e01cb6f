<?php
/** Adds the endpoint's script to pages with a form, once, and keeps optimizers away from it. */

namespace DonationForm;

defined('ABSPATH') || exit;

const FORM_SCRIPT = 'donation-form-element';

/** @param string $endpoint endpoint of the page's first form; its script also serves the others. */
function enqueue_form_script(string $endpoint): void
{
    // No version parameter: the script loads its other parts relative to its own URL.
    wp_enqueue_script(FORM_SCRIPT, $endpoint . '/donation-form.js', [], null, false);
}

add_filter('script_loader_tag', static function ($tag, $handle, $source) {
    return $handle === FORM_SCRIPT ? render_script_tag($source) : $tag;
}, 10, 3);

function render_script_tag(string $source): string
{
    return wp_get_script_tag([
        'type' => 'module',
        'data-cfasync' => 'false', // Cloudflare Rocket Loader (must precede src) and LiteSpeed Cache
        'data-placeholders' => 'off', // authors can write data-* attributes, so a div must not become a form
        'data-no-optimize' => '1', // LiteSpeed Cache
        'data-no-defer' => '1', // LiteSpeed Cache
        'data-no-minify' => '1', // WP Rocket would copy the script to this site
        'data-nowprocket' => '1', // WP Rocket would delay the script until the visitor interacts
        'data-jetpack-boost' => 'ignore', // Jetpack Boost
        'src' => $source,
    ]);
}

/** SiteGround Speed Optimizer excludes external scripts by a part of their URL. */
add_filter('sgo_javascript_combine_excluded_external_paths', static function ($paths) {
    return array_merge((array) $paths, ['/donation-form.js']);
});
