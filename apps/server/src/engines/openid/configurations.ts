/** What openid-client needs to know of a provider: where its addresses are, remembered for a while, and how we sign in there. */
import * as oidc from 'openid-client'
import type { ProviderSettings } from '#ports/identity-provider.ts'
import { makeGuardedFetch, type Reach } from './guarded-fetch.ts'

/** So long it is believed where the addresses of a provider are; its keys are read at each sign-in. */
const rememberMs = 600_000
const mostRemembered = 100

/** As the standard has it where the provider does not say otherwise. */
function authenticationBy({ secret }: ProviderSettings, found: oidc.ServerMetadata): oidc.ClientAuth {
  if (secret === '') return oidc.None()
  const known = found.token_endpoint_auth_methods_supported
  return known && !known.includes('client_secret_basic') && known.includes('client_secret_post')
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret)
}

const isPlain = (issuer: string): boolean => new URL(issuer).protocol === 'http:'

export function makeConfigurations(reach: Reach, now: () => number) {
  const fetch = makeGuardedFetch(reach) as oidc.CustomFetch
  const remembered = new Map<string, { at: number; found: Promise<oidc.ServerMetadata> }>()

  async function discover(issuer: string): Promise<oidc.ServerMetadata> {
    const config = await oidc.discovery(new URL(issuer), 'unknown', undefined, undefined, {
      [oidc.customFetch]: fetch,
      timeout: reach.timeoutMs / 1000,
      ...(isPlain(issuer) && { execute: [oidc.allowInsecureRequests] }),
    })
    return { ...config.serverMetadata() }
  }

  /** Many who come at once ask once; what failed is not remembered. */
  function metadataOf(issuer: string): Promise<oidc.ServerMetadata> {
    const known = remembered.get(issuer)
    if (known && now() - known.at < rememberMs) return known.found
    if (remembered.size >= mostRemembered) remembered.clear()
    const found = discover(issuer)
    remembered.set(issuer, { at: now(), found })
    found.catch(() => remembered.delete(issuer))
    return found
  }

  /** Made anew each time: then it knows no keys yet, so that those that changed are no trouble. */
  async function configOf(settings: ProviderSettings): Promise<oidc.Configuration> {
    const found = await metadataOf(settings.issuer)
    const config = new oidc.Configuration(found, settings.clientID, {}, authenticationBy(settings, found))
    config[oidc.customFetch] = fetch
    config.timeout = reach.timeoutMs / 1000
    if (isPlain(settings.issuer)) oidc.allowInsecureRequests(config)
    oidc.enableNonRepudiationChecks(config)
    return config
  }

  /** After a failure the provider is asked anew where it is. */
  async function forgetting<T>({ issuer }: ProviderSettings, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      remembered.delete(issuer)
      throw error
    }
  }

  return { fetch, discover, configOf, forgetting }
}
