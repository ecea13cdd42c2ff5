const click = (href: string, name: string) => {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** spec 7: a file download by link. */
export function downloadByLink(url: string, name = ''): void {
  click(url, name)
}

export function downloadText(text: string, name: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  click(url, name)
  // The browser has taken the blob once the click was handled; keeping the address would leak it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
