/** The kubeconfig text that leads a client to the small API server. */

/**
 * YAML with one context. `certificate` is the PEM of the server, when it speaks https; client-node refuses plain http unless
 * `insecure-skip-tls-verify` is set, so it is set there.
 */
export function kubeconfigOf(server: {
  url: string;
  token: string | undefined;
  certificate: string | undefined;
  context: string;
  namespace: string;
}): string {
  const { url, token, certificate, context, namespace } = server;
  const trust =
    certificate === undefined
      ? 'insecure-skip-tls-verify: true'
      : `certificate-authority-data: ${Buffer.from(certificate).toString('base64')}`;
  return `apiVersion: v1
kind: Config
current-context: ${context}
clusters:
  - name: ${context}
    cluster:
      server: ${url}
      ${trust}
users:
  - name: ${context}
    user: ${token === undefined ? '{}' : `{ token: ${JSON.stringify(token)} }`}
contexts:
  - name: ${context}
    context:
      cluster: ${context}
      user: ${context}
      namespace: ${namespace}
`;
}
