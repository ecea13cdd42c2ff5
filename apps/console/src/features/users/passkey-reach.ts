/** Browsers have passkeys for one origin: can they be used on this page? */
type PasskeyReach = 'here' | 'elsewhere' | 'nowhere' | 'unsupported'

/** @param origin of the platform's configuration; '': there is none */
export function passkeyReach(origin: string): PasskeyReach {
  if (origin === '') return 'nowhere'
  if (origin !== window.location.origin) return 'elsewhere'
  return 'PublicKeyCredential' in window ? 'here' : 'unsupported'
}
