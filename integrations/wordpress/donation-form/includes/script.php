<?php
/** The endpoint's script: once on a page, only where a form is, and left alone by what optimizes scripts. */

namespace DonationForm;

defined('ABSPATH') || exit;

const SCRIPT = 'donation-form-element';

/** @param string $endpoint of the page's first form; its script serves the others, too. */
function enqueue_script(string $endpoint): void
{
    // Without a version: the script finds its other parts by its own address.
    wp_enqueue_script(SCRIPT, $endpoint . '/donation-form.js', [], null, false);
}

add_filter('script_loader_tag', static function ($tag, $handle, $source) {
    return $handle === SCRIPT ? script_tag($source) : $tag;
}, 10, 3);

function script_tag(string $source): string
{
    return wp_get_script_tag([
        'type' => 'module',
        'data-cfasync' => 'false', // Rocket Loader of Cloudflare, which wants it before src; LiteSpeed Cache, too
        'data-places' => 'off', // authors may write data-* attributes: a div of theirs is no form
        'data-no-optimize' => '1', // LiteSpeed Cache
        'data-no-defer' => '1', // LiteSpeed Cache
        'data-no-minify' => '1', // WP Rocket, which would keep a copy of the script on this site
        'data-nowprocket' => '1', // WP Rocket, which would wait for the visitor to move
        'data-jetpack-boost' => 'ignore', // Jetpack Boost
        'src' => $source,
    ]);
}

/** Of scripts of other servers, SiteGround's optimizer asks for a part of the address. */
add_filter('sgo_javascript_combine_excluded_external_paths', static function ($paths) {
    return array_merge((array) $paths, ['/donation-form.js']);
});
