/** The nonce the server put in the page for styles made at run time (antd, CodeMirror); undefined without a CSP. */
export function readNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')
  return meta?.nonce || meta?.content || undefined
}
