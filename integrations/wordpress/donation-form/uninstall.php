<?php
/** Deletes the settings. */

defined('WP_UNINSTALL_PLUGIN') || exit;

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $donation_form_site) {
        delete_blog_option($donation_form_site, 'donation_form');
    }
} else {
    delete_option('donation_form');
}
