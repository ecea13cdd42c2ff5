/** What a page asks for until it is at rest: files, calls and the live connection. */
import type { Page } from 'playwright-core'

/** goals.md "Screens": of a screen that is loaded from nothing. */
export const mostRequests = 25

/** A page that is looked at for long asks again for what changes, each time up to another moment. */
const moment = /\b\d{13}\b/g

/** Each question once, from the last load of the page on; in the order in which they were asked. */
export function watchRequests(page: Page): () => string[] {
  const asked = new Set<string>()
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked.clear()
    const { pathname, search } = new URL(request.url())
    asked.add(`${pathname}${search} ${request.postData() ?? ''}`.replaceAll(moment, 'now').trim())
  })
  page.on('websocket', (socket) => asked.add(`${new URL(socket.url()).pathname} (socket)`))
  return () => [...asked]
}
