/** Providers at which people sign in with the account of their company. */
import { fill, type Phrase, say } from '@ithings/contract/text.ts'

export interface ProviderSettings {
  issuer: string
  clientID: string
  /** '': the provider knows this client without one. */
  secret: string
  scopes: string
  acrValues: string
}

/** What ties an answer to its question. */
export interface SignOnChecks {
  state: string
  nonce: string
  verifier: string
}

export interface SignedOn {
  /** Whom the provider means, for ever. */
  subject: string
  claims: Readonly<Record<string, unknown>>
  idToken: string
}

export interface ProviderFacts {
  authorizationEndpoint: string
  tokenEndpoint: string
  scopes: string[]
  namesItself: boolean
  endsSessions: boolean
  backChannel: boolean
}

/** Whoever signed out at the provider: all sessions of somebody, or one. */
export interface SignedOff {
  subject: string | undefined
  sid: string | undefined
}

/** Every function @throws SignOnFault */
export interface IdentityProviders {
  makeChecks(): SignOnChecks
  /** Asks anew, whatever was remembered. */
  look(issuer: string): Promise<ProviderFacts>
  /** Where the browser goes. */
  addressOf(settings: ProviderSettings, redirectUri: string, checks: SignOnChecks): Promise<string>
  /** @param address that the provider sent the browser to */
  redeem(settings: ProviderSettings, address: URL, checks: SignOnChecks): Promise<SignedOn>
  /** Undefined: it cannot end sessions. */
  signOutAddress(settings: ProviderSettings, idToken: string, returnTo: string): Promise<string | undefined>
  readLogout(settings: ProviderSettings, logoutToken: string): Promise<SignedOff>
}

export class SignOnFault extends Error {
  readonly words: Phrase

  constructor(words: Phrase, options?: ErrorOptions) {
    super(say(words, fill), options)
    this.words = words
  }
}
