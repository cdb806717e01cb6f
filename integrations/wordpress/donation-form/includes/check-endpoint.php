<?php
/** Checks that the configured endpoint responds and allows this site. */

namespace DonationForm;

defined('ABSPATH') || exit;

/** Timeout of each request, in seconds. */
const CHECK_TIMEOUT = 4;

/** @return array{0: string, 1: string} type of the notice ('success' or 'warning') and its text. */
function check_endpoint(string $endpoint): array
{
    $options = ['timeout' => CHECK_TIMEOUT, 'redirection' => 0];
    $health = wp_remote_get($endpoint . '/healthz', $options);
    if (is_wp_error($health)) {
        return ['warning', sprintf(
            /* translators: 1: a URL, 2: an error message */
            __('Cannot reach %1$s (%2$s). Check that the URL is correct and that the server is running.', 'donation-form'),
            $endpoint,
            $health->get_error_message()
        )];
    }
    if (wp_remote_retrieve_response_code($health) !== 200) {
        return ['warning', sprintf(
            /* translators: %s: a URL */
            __('%s responds, but it is not a donation server. Ask the server’s administrator for the URL.', 'donation-form'),
            $endpoint
        )];
    }
    $site = get_origin(home_url());
    $form = wp_remote_get($endpoint . '/form', $options + ['headers' => ['Origin' => $site]]);
    if (wp_remote_retrieve_header($form, 'access-control-allow-origin') !== $site) {
        return ['warning', sprintf(
            /* translators: %s: the origin of this site */
            __('The server does not allow this site. Add exactly %s to "origins" in its configuration.', 'donation-form'),
            $site
        )];
    }
    return ['success', __('The server is running and allows this site.', 'donation-form')];
}
