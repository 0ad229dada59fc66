/**
 * Reaching GitHub through an HTTP proxy. Node's own `fetch` does not look at the proxy variables in every version that
 * we run on. A private certificate authority needs nothing here: Node reads NODE_EXTRA_CA_CERTS itself.
 */
import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';

export interface ProxySettings {
  /** `http://user:password@proxy.example.com:3128`: for both http and https. */
  url: string;
  /** Hosts that are reached directly, as in NO_PROXY: `localhost,.example.com`. */
  except: string;
}

/** A `fetch` that goes through the proxy. It keeps connections open; there is one of it in a process. */
export function fetchThroughProxy(settings: ProxySettings): typeof fetch {
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: settings.url,
    httpsProxy: settings.url,
    noProxy: settings.except,
  });
  // undici's types differ from those of Node's copy of it; the values do not.
  const through = undiciFetch as unknown as (url: unknown, init: object) => Promise<Response>;
  return (url, init) => through(url, { ...init, dispatcher });
}
