let stamped = false

/** Some libraries insert <style> elements without asking for a nonce (scroll lock, scrollbar measuring): give it to all. */
function stampStyles(nonce: string): void {
  if (stamped) return
  stamped = true
  const create = document.createElement.bind(document)
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }) as typeof document.createElement
}

/**
 * The nonce the server put in the page for styles made at run time; undefined without a CSP.
 * From the first call on, every style element made by our scripts carries it.
 */
export function readNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')
  const nonce = meta?.nonce || meta?.content || undefined
  if (nonce) stampStyles(nonce)
  return nonce
}
