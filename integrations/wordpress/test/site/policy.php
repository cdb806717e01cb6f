<?php
/** Adds a strict Content-Security-Policy and removes the parts of WordPress that violate it. */

add_action('send_headers', static function (): void {
    header('Content-Security-Policy: ' . getenv('WORDPRESS_POLICY'));
});
remove_action('wp_head', 'print_emoji_detection_script', 7);
remove_action('wp_footer', 'the_block_template_skip_link');
add_filter('show_admin_bar', '__return_false');
