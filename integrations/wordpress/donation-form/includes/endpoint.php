<?php
/** URLs of donation servers. */

namespace DonationForm;

defined('ABSPATH') || exit;

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Removes trailing slashes from an endpoint's URL. Returns null if a form cannot use the URL. */
function normalize_endpoint(string $input): ?string
{
    $url = untrailingslashit(trim($input));
    $parts = wp_parse_url($url);
    if (!is_array($parts) || !isset($parts['scheme'], $parts['host'])) {
        return null;
    }
    if (esc_url_raw($url, ['https', 'http']) !== $url) {
        return null;
    }
    $is_secure = $parts['scheme'] === 'https'
        || ($parts['scheme'] === 'http' && in_array($parts['host'], LOCAL_HOSTS, true));
    $has_only_path = !array_intersect_key($parts, array_flip(['user', 'pass', 'query', 'fragment']));
    $is_script = substr($url, -3) === '.js';
    return $is_secure && $has_only_path && !$is_script ? $url : null;
}

/** Returns the origin of a URL, as browsers write it. */
function get_origin(string $url): string
{
    $parts = wp_parse_url(strtolower($url));
    $default_port = ['https' => 443, 'http' => 80][$parts['scheme']] ?? null;
    $port = $parts['port'] ?? $default_port;
    return $parts['scheme'] . '://' . $parts['host'] . ($port === $default_port ? '' : ':' . $port);
}

/**
 * Returns the endpoint of a form if it has the same origin as the endpoint in the settings, and null
 * otherwise. This prevents authors from running another server's scripts on this site and from
 * diverting donations.
 */
function get_allowed_endpoint(string $input): ?string
{
    $endpoint = normalize_endpoint($input);
    $trusted = normalize_endpoint(get_plugin_settings()['endpoint']);
    if ($endpoint === null || $trusted === null) {
        return null;
    }
    return get_origin($endpoint) === get_origin($trusted) ? $endpoint : null;
}
