import type { Ports } from './ports.ts';

/** Settings of the portal beside the gateway of this stack, on the host by which a visitor came. */
export function portalEnvironment(ports: Ports, host: string): Readonly<Record<string, string>> {
  return {
    HOST: host,
    PORT: String(ports.portal),
    OPERATIONS_PORT: String(ports.portalOperations),
    API_URL: `http://127.0.0.1:${ports.gateway}`,
    API_PUBLIC_URL: `:${ports.gateway}`,
    EXIT_WITH_PARENT: 'on',
    SHUTDOWN_LINGER_SECONDS: '0',
    NODE_ENV: 'production',
  };
}

/** Settings of the gateway beside a portal: without the trust in its address, all visitors of the portal would share one rate (portal.md 1.1). */
export function gatewayBesidePortal(ports: Ports): Readonly<Record<string, string>> {
  return { PORTAL_PUBLIC_URL: `:${ports.portal}`, TRUSTED_PROXIES: '127.0.0.1' };
}
