/** What runs in every page of a walk before the page itself. */
import type { BrowserContext } from 'playwright-core'

declare global {
  interface Window {
    /** Texts of the short messages shown since the page was loaded, as far as no walk has asked for them. */
    walkMessages: string[]
  }
}

/** The messages have a home of their own at the end of the page, made for the first of them. */
function writeDownMessages(): void {
  window.walkMessages = []
  const listen = (home: Element) =>
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          const shown = node instanceof Element ? node.closest('.ant-message-notice') : null
          if (shown) window.walkMessages.push(shown.textContent ?? '')
        }
    }).observe(home, { childList: true, subtree: true })
  const homes = new MutationObserver(() => {
    for (const home of document.querySelectorAll('body > .ant-message:not([data-walk-heard])')) {
      home.setAttribute('data-walk-heard', '')
      listen(home)
      for (const shown of home.querySelectorAll('.ant-message-notice'))
        window.walkMessages.push(shown.textContent ?? '')
    }
  })
  document.addEventListener('DOMContentLoaded', () => homes.observe(document.body, { childList: true }))
}

/** What turns and shimmers while a page waits would be drawn sixty times a second: a fifth of the time of a walk. */
function stillWaiting(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`.ant-spin *, .anticon-spin, [class*='ant-skeleton'], .bone, .login-live {
    animation: none !important
  }`)
  document.adoptedStyleSheets = [sheet]
}

export async function preparePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(writeDownMessages)
  await context.addInitScript(stillWaiting)
}
