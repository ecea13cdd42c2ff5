/** Signing in at the company's provider: the browser leaves, and comes back with an answer that only it can finish. */
import { beginSignOn, finishSignOn } from '@ithings/contract/features/sign-on-flow.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { basename, loginPath, safeRedirect, signedInPath } from '#api/sign-in-path.ts'
import { guardedStore } from '#api/text-store.ts'

/** Of this tab: nobody else's answer can be finished here. */
const store = guardedStore(() => sessionStorage)
const storeKey = 'iThings-sign-on'

interface Begun {
  key: string
  flow: string
  redirect: string
}

/** What the sign-in page shows when somebody comes back without success. */
export interface SignInState {
  failure?: string
}

const beginAddress = (key: string, redirect: string): string =>
  `${basename}${loginPath}?${new URLSearchParams({ signOn: key, redirect })}`

/** Begins in a page of its own: this one keeps what it has, and sees in the storage that somebody has signed in. */
export const besideAddress = (key: string): string => beginAddress(key, signedInPath)

/** Providers send back to one address; who came by another name of the platform begins there. */
export async function leaveFor(key: string, redirect: string): Promise<void> {
  const { url, flow, redirectUri } = await call(beginSignOn, { key }, { quiet: true })
  const { origin } = new URL(redirectUri)
  if (origin !== window.location.origin) {
    window.location.assign(`${origin}${beginAddress(key, redirect)}`)
    return
  }
  const begun: Begun = { key, flow, redirect }
  store.set(storeKey, JSON.stringify(begun))
  window.location.assign(url)
}

function readBegun(): Begun | undefined {
  const text = store.get(storeKey)
  return text === '' ? undefined : (JSON.parse(text) as Begun)
}

/** The sign-in page, for another try with the same wish. */
export const signInAddress = (redirect = readBegun()?.redirect ?? ''): string =>
  redirect === '' ? loginPath : `${loginPath}?redirect=${encodeURIComponent(redirect)}`

function takeBegun(key: string): Begun {
  const begun = readBegun()
  store.remove(storeKey)
  if (begun?.key !== key) throw new Error(t('这次登录不是在这个页面开始的，请重新登录'))
  return begun
}

/** @param query of the address that the provider sent the browser to */
export async function comeBack(key: string, query: string) {
  const { flow, redirect } = takeBegun(key)
  const signedIn = await call(finishSignOn, { key, flow, query }, { quiet: true })
  return { ...signedIn, redirect: safeRedirect(redirect) }
}
