<?php
/** Addresses of donation endpoints. */

namespace DonationForm;

defined('ABSPATH') || exit;

/** An endpoint's address without a slash at its end; null where this is none that a form can use. */
function endpoint_address(string $given): ?string
{
    $address = untrailingslashit(trim($given));
    $parts = wp_parse_url($address);
    if (!is_array($parts) || !isset($parts['scheme'], $parts['host']) || esc_url_raw($address, ['https', 'http']) !== $address) {
        return null;
    }
    $is_safe = $parts['scheme'] === 'https' || ($parts['scheme'] === 'http' && in_array($parts['host'], ['localhost', '127.0.0.1', '[::1]'], true));
    $is_bare = !array_intersect_key($parts, array_flip(['user', 'pass', 'query', 'fragment']));
    $is_folder = substr($address, -3) !== '.js';
    return $is_safe && $is_bare && $is_folder ? $address : null;
}

/** The origin of a web address, as browsers write it. */
function origin_of(string $address): string
{
    $parts = wp_parse_url(strtolower($address));
    $own_port = ['https' => 443, 'http' => 80][$parts['scheme']] ?? null;
    $port = $parts['port'] ?? $own_port;
    return $parts['scheme'] . '://' . $parts['host'] . ($port === $own_port ? '' : ':' . $port);
}

/**
 * The endpoint that a form names, where it stands on the server that the settings name; null elsewhere.
 * Whoever may write a page would otherwise choose whose scripts run on this site, and who takes its gifts.
 */
function permitted_endpoint(string $given): ?string
{
    $endpoint = endpoint_address($given);
    $trusted = endpoint_address(settings()['endpoint']);
    return $endpoint !== null && $trusted !== null && origin_of($endpoint) === origin_of($trusted) ? $endpoint : null;
}
