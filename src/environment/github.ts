/** Which App we are, on which GitHub, and how it is reached. */
import { quoted, type Reader } from './reader.ts';

const publicApi = 'https://api.github.com';

export function readAppId(reader: Reader): string {
  const appId = reader.text('APP_ID');
  if (appId === null) {
    reader.fault(
      'APP_ID is not set, so Stepback does not know which GitHub App it is. Set it to the App ID on the settings page of the App.',
    );
  } else if (!/^(\d{1,15}|Iv[\w.]{5,60})$/.test(appId)) {
    reader.fault(
      `APP_ID is ${quoted(appId)}, which is no App ID. Set it to the number, or to the client id (Iv…), on the settings page of the App.`,
    );
  }
  return appId ?? '';
}

/** Probot would fall back to the secret "development", which everybody knows: that one is refused too. */
export function readWebhookSecret(reader: Reader): string {
  const secret = reader.text('WEBHOOK_SECRET');
  if (secret === null) {
    reader.fault(
      'WEBHOOK_SECRET is not set, so Stepback could not tell webhooks of GitHub from those of anybody else. Make one with "openssl rand -hex 32", and set it here and on the settings page of the App.',
    );
  } else if (secret === 'development') {
    reader.fault(
      'WEBHOOK_SECRET is "development", which everybody knows. Make another with "openssl rand -hex 32", and set it here and on the settings page of the App.',
    );
  }
  return secret ?? '';
}

export function readApiUrl(reader: Reader): string {
  const written = reader.text('GITHUB_API_URL');
  const host = readEnterpriseHost(reader);
  if (written === null) return host === null ? publicApi : apiOf(host);
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    reader.fault(
      `GITHUB_API_URL is ${quoted(written)}, which is no address. Set it to https://HOST/api/v3 of your Enterprise Server, or unset it for github.com.`,
    );
    return publicApi;
  }
  const right = apiOf(url.host);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (isHere) return written.replace(/\/+$/, '');
  if (url.protocol === 'http:') {
    reader.fault(
      `GITHUB_API_URL is ${quoted(written)}, and plain http would send the credentials of the App in the open. Use https.`,
    );
  } else if (`${url.origin}${url.pathname.replace(/\/+$/, '')}` !== right) {
    reader.fault(
      `GITHUB_API_URL is ${quoted(written)}, which is not where ${url.host} has its API. Did you mean ${right}?`,
    );
  } else if (host !== null && apiOf(host) !== right) {
    reader.fault(
      `GITHUB_API_URL is ${quoted(written)} and GHE_HOST is ${quoted(host)}, and Stepback does not guess which one is right. Unset one of them.`,
    );
  }
  return right;
}

function readEnterpriseHost(reader: Reader): string | null {
  const host = reader.text('GHE_HOST');
  if (host === null || /^[a-z0-9.-]+(:\d{1,5})?$/i.test(host)) return host?.toLowerCase() ?? null;
  reader.fault(
    `GHE_HOST is ${quoted(host)}, which is no host name. Give the name alone, as github.example.com.`,
  );
  return null;
}

/** Where a host has its API: github.com and the enterprise clouds on a host beside it, a server under a path. */
function apiOf(host: string): string {
  if (host === 'github.com' || host === 'www.github.com') return publicApi;
  if (host.endsWith('.ghe.com')) return `https://api.${host.replace(/^api\./, '')}`;
  return host === 'api.github.com' ? publicApi : `https://${host}/api/v3`;
}

/** `alias=host`, several apart by commas. */
export function readHostAliases(reader: Reader): Readonly<Record<string, string>> {
  const aliases: Record<string, string> = {};
  for (const part of reader.list('STEPBACK_HOST_ALIASES')) {
    const [, alias, host] = /^([\w.-]+)=([\w.-]+)$/.exec(part) ?? [];
    if (alias !== undefined && host !== undefined) aliases[alias.toLowerCase()] = host.toLowerCase();
    else {
      reader.fault(
        `STEPBACK_HOST_ALIASES has ${quoted(part)}, which is not alias=host. Write it as work.github.com=github.com.`,
      );
    }
  }
  return aliases;
}

/** Curl and others know the names in lower case too. The address may carry a password and is never quoted. */
export function readProxy(reader: Reader): { url: string; except: string } | null {
  const url = reader.text('HTTPS_PROXY') ?? reader.variables.https_proxy?.trim() ?? '';
  if (url === '') return null;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    reader.fault(
      'HTTPS_PROXY is no address of a proxy. Write it as http://proxy.example.com:3128, with user:password@ before the host where that is needed.',
    );
  }
  return { url, except: reader.text('NO_PROXY') ?? reader.variables.no_proxy?.trim() ?? '' };
}
