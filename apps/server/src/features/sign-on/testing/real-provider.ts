/**
 * A real OpenID Connect provider (oidc-provider) on this machine. Before it sits a server that hands everything on, and may
 * change an identity token on its way and sign it again with the provider's own key, so that one thing is wrong and no other.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'

export interface Account {
  preferred_username?: string
  name?: string
  email?: string
  groups?: string[]
}

export interface ProviderOptions {
  redirectUri: string
  signOutUri: string
  backChannelUri?: string
  /** How the provider reaches whom it tells of a sign-out. */
  tell?: (address: string, body: string) => Promise<number>
  /** It says in its answers who it is (RFC 9207); else not. */
  namesItself?: boolean
}

export const clientID = 'ithings'
export const clientSecret = 'a-secret-of-thirty-two-characters'

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' }
}

const signInPage = (uid: string) => `<!doctype html><title>Acme ID</title><h1>Acme ID</h1>
<form method="post" action="/interaction/${uid}"><label>Account <input name="login" autofocus></label>
<button>Continue</button></form>`

export async function startRealProvider(options: ProviderOptions) {
  const accounts = new Map<string, Account>()
  const keys = { own: await makeKey() }
  /** What stands in an identity token instead, and by whose key it is signed. */
  const tampering: { claims?: ((claims: JWTPayload) => JWTPayload) | undefined; key?: JWK | undefined } = {}
  let inner: Server | undefined
  let innerPort = 0

  const outer = createServer((incoming, outgoing) => void hand(incoming, outgoing))
  const port = await listen(outer)
  const issuer = `http://127.0.0.1:${port}`

  async function signAgain(idToken: string): Promise<string> {
    const key = tampering.key ?? keys.own
    const claims = tampering.claims?.(decodeJwt(idToken)) ?? decodeJwt(idToken)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: keys.own.kid as string })
      .sign(await importJWK(key, 'RS256'))
  }

  /** On to the provider, and back. */
  async function hand(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    const { method, headers, url: path } = incoming
    const onward = request({ port: innerPort, host: '127.0.0.1', method, path, headers }, async (answer) => {
      let said = await bodyOf(answer)
      const answered = { ...answer.headers }
      if (path === '/token' && answer.statusCode === 200 && (tampering.claims || tampering.key)) {
        const tokens = JSON.parse(said.toString()) as { id_token: string }
        said = Buffer.from(JSON.stringify({ ...tokens, id_token: await signAgain(tokens.id_token) }))
      }
      if (path === '/.well-known/openid-configuration' && options.namesItself === false) {
        const { authorization_response_iss_parameter_supported: _, ...facts } = JSON.parse(said.toString())
        said = Buffer.from(JSON.stringify(facts))
      }
      delete answered['transfer-encoding']
      outgoing.writeHead(answer.statusCode ?? 500, { ...answered, 'content-length': said.length })
      outgoing.end(said)
    })
    onward.on('error', () => outgoing.destroy())
    onward.end(body)
  }

  const configuration = (): Configuration => ({
    clients: [
      {
        client_id: clientID,
        client_secret: clientSecret,
        redirect_uris: [options.redirectUri],
        post_logout_redirect_uris: [options.signOutUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        ...(options.backChannelUri && {
          backchannel_logout_uri: options.backChannelUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    jwks: { keys: [keys.own as never] },
    cookies: { keys: ['a key of this test'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    findAccount: (_ctx, id) =>
      accounts.has(id) ? { accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) as never } : undefined,
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `<!doctype html><title>Acme ID</title>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`
        },
      },
    },
    fetch: async (address, asked) => {
      const status = await options.tell?.(String(address), String(asked?.body ?? ''))
      return new Response(null, { status: status ?? 500 })
    },
  })

  async function restart(): Promise<void> {
    if (inner) await stop(inner)
    const provider = new Provider(issuer, configuration())
    const app = provider.callback()
    inner = createServer((incoming, outgoing) => {
      const [, uid] = /^\/interaction\/([\w-]+)$/.exec(incoming.url ?? '') ?? []
      if (!uid) return void app(incoming, outgoing)
      if (incoming.method !== 'POST') return void outgoing.setHeader('content-type', 'text/html').end(signInPage(uid))
      void bodyOf(incoming).then((body) => {
        const accountId = new URLSearchParams(body.toString()).get('login') ?? ''
        const result = accounts.has(accountId)
          ? { login: { accountId } }
          : { error: 'access_denied', error_description: 'unknown account' }
        return provider.interactionFinished(incoming, outgoing, result)
      })
    })
    innerPort = await listen(inner)
  }
  await restart()

  return {
    issuer,
    accounts,
    tampering,
    makeKey,
    /** From now on it signs with another key. */
    async changeKey() {
      keys.own = await makeKey()
      await restart()
    },
    async close() {
      await stop(outer)
      if (inner) await stop(inner)
    },
  }
}

export type RealProvider = Awaited<ReturnType<typeof startRealProvider>>

/** A browser without a screen: goes where it is sent, keeps cookies, and signs in when it is asked. */
export function makeVisitor(login: string) {
  const cookies = new Map<string, string>()

  async function ask(address: string, form?: Record<string, string>): Promise<Response> {
    const answer = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  /** @returns where the provider sends it in the end, outside of itself */
  async function follow(from: string, form?: Record<string, string>): Promise<URL> {
    const { origin } = new URL(from)
    let answer = await ask(from, form)
    for (let hops = 0; hops < 10; hops++) {
      const next = answer.headers.get('location')
      if (!next) {
        if (!answer.url.includes('/interaction/')) throw new Error(`${answer.status} ${await answer.text()}`)
        answer = await ask(answer.url, { login })
        continue
      }
      const to = new URL(next, origin)
      if (to.origin !== origin) return to
      answer = await ask(to.href)
    }
    throw new Error('the provider goes in circles')
  }

  return { ask, follow }
}
