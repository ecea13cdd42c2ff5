/** OpenID Connect by openid-client: code flow with PKCE, state and nonce; signatures are checked with the keys of the moment. */
import { phrase } from '@ithings/contract/text.ts'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import {
  type IdentityProviders,
  type ProviderFacts,
  type ProviderSettings,
  type SignOnChecks,
  SignOnFault,
} from '#ports/identity-provider.ts'
import { makeConfigurations } from './configurations.ts'
import { orFault } from './faults.ts'
import type { Reach } from './guarded-fetch.ts'

/** Clocks of two machines differ. */
const toleranceSeconds = 30
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const factsOf = (found: oidc.ServerMetadata): ProviderFacts => ({
  authorizationEndpoint: found.authorization_endpoint ?? '',
  tokenEndpoint: found.token_endpoint ?? '',
  scopes: (found.scopes_supported ?? []).slice(0, 50).map(String),
  namesItself: found.authorization_response_iss_parameter_supported === true,
  endsSessions: found.end_session_endpoint !== undefined,
  backChannel: found.backchannel_logout_supported === true,
})

async function buildAddress(
  config: oidc.Configuration,
  { scopes, acrValues }: ProviderSettings,
  redirectUri: string,
  { state, nonce, verifier }: SignOnChecks,
): Promise<string> {
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopes,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(acrValues !== '' && { acr_values: acrValues }),
  })
  return address.href
}

async function redeemCode(config: oidc.Configuration, address: URL, { state, nonce, verifier }: SignOnChecks) {
  const tokens = await oidc.authorizationCodeGrant(config, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const own = tokens.claims()
  if (!own || !tokens.id_token) throw new SignOnFault(phrase('对方没有给出身份令牌'))
  // What a provider says of somebody stands in the token, or is asked for; the token is signed, so it counts.
  const more = config.serverMetadata().userinfo_endpoint
    ? await oidc.fetchUserInfo(config, tokens.access_token, own.sub)
    : {}
  return { subject: own.sub, claims: { ...more, ...own }, idToken: tokens.id_token }
}

function refuseStrangeLogout({ events, nonce, sid, sub }: JWTPayload): void {
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events
  if (isLogout && nonce === undefined && (typeof sub === 'string' || typeof sid === 'string')) return
  throw new SignOnFault(phrase('不是退出登录的通知'))
}

async function readLogoutToken(config: oidc.Configuration, fetch: oidc.CustomFetch, token: string) {
  const { jwks_uri, issuer } = config.serverMetadata()
  if (!jwks_uri) throw new SignOnFault(phrase('对方没有公布登录所需的地址'))
  const asked = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' as const }
  const keys = (await (await fetch(jwks_uri, asked)).json()) as JSONWebKeySet
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience: config.clientMetadata().client_id,
    clockTolerance: toleranceSeconds,
    maxTokenAge: 600,
    requiredClaims: ['iat', 'jti'],
  })
  refuseStrangeLogout(payload)
  return { subject: payload.sub, sid: typeof payload.sid === 'string' ? payload.sid : undefined }
}

export function makeOpenidProviders(reach: Reach, now: () => number): IdentityProviders {
  const { fetch, discover, configOf, forgetting } = makeConfigurations(reach, now)
  /** With the provider as it is; faults in words. */
  const at = <T>(settings: ProviderSettings, work: (config: oidc.Configuration) => Promise<T>): Promise<T> =>
    orFault(forgetting(settings, configOf(settings).then(work)))
  return {
    makeChecks: () => ({
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    }),
    look: async (issuer) => factsOf(await orFault(discover(issuer))),
    addressOf: (settings, redirectUri, checks) =>
      at(settings, (config) => buildAddress(config, settings, redirectUri, checks)),
    redeem: (settings, address, checks) => at(settings, (config) => redeemCode(config, address, checks)),
    signOutAddress: (settings, idToken, returnTo) =>
      at(settings, async (config) => {
        if (!config.serverMetadata().end_session_endpoint) return undefined
        return oidc.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: returnTo }).href
      }),
    readLogout: (settings, token) => at(settings, (config) => readLogoutToken(config, fetch, token)),
  }
}
