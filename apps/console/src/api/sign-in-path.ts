/** Where sign-in lives and where it leads back to. */
export const loginPath = '/user/login'
/** Where a company's provider sends people back to (`signOnReturn` of the contract). */
export const signOnPath = '/user/sign-on/:key'
/** The end of a sign-in that was begun for another page of the browser, which waits for it. */
export const signedInPath = '/user/signed-in'
export const homePath = '/'

/** spec 9: the base public path, without its last slash: the router's basename. */
export const basename = import.meta.env.BASE_URL.replace(/\/$/, '')

export interface Place {
  pathname: string
  search: string
  hash: string
}

/** The path inside the app of a browser address: `/front/iThingsCore/home?x=1#y` is `/home?x=1#y`. */
export function pathInApp(place: Place, base: string = basename): string {
  const inside =
    place.pathname === base || place.pathname.startsWith(`${base}/`)
      ? place.pathname.slice(base.length)
      : place.pathname
  return `${inside || homePath}${place.search}${place.hash}`
}

export const isLoginPlace = (place: Place, base: string = basename): boolean =>
  pathInApp({ ...place, search: '', hash: '' }, base).replace(/\/+$/, '') === loginPath

/** spec 8: /user/login with the page the user was on. */
export function loginAddress(place: Place, base: string = basename): string {
  if (isLoginPlace(place, base)) return `${loginPath}${place.search}`
  const back = pathInApp(place, base)
  return back === homePath ? loginPath : `${loginPath}?redirect=${encodeURIComponent(back)}`
}

/**
 * The `redirect` parameter is anybody's text: only a path inside the app is followed. Browsers read `//host`, `/\host`
 * and paths with tabs or line breaks as other sites.
 */
export function safeRedirect(asked: string | null | undefined): string {
  if (!asked?.startsWith('/') || asked.startsWith('//')) return homePath
  if ([...asked].some((char) => char <= ' ' || char === '\\' || char === '\x7f')) return homePath
  const path = asked.split(/[?#]/, 1)[0] ?? ''
  if (path.split('/').includes('..') || path === loginPath || path.startsWith(`${loginPath}/`)) return homePath
  return asked
}
