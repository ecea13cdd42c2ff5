/** A platform and a real provider that know each other. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { backChannelPath, createProvider, signOnReturn } from '@ithings/contract/features/sign-on.ts'
import { beginSignOn, finishSignOn } from '@ithings/contract/features/sign-on-flow.ts'
import type { CallOptions, World } from '#testing/world.ts'
import { clientID, clientSecret, makeVisitor, type ProviderOptions, startRealProvider } from './real-provider.ts'

export const publicUrl = 'http://iot.example:7777'
const consoleUrl = `${publicUrl}/front/iThingsCore`
/** Loopback is where the provider is. */
export const signOnConfig = { publicUrl, webhookAllow: ['127.0.0.0/8'] }

export async function openProvider(
  world: World,
  key: string,
  fields: Partial<BodyInput<typeof createProvider>> = {},
  options: Partial<ProviderOptions> = {},
) {
  const provider = await startRealProvider({
    redirectUri: `${consoleUrl}${signOnReturn}/${key}`,
    signOutUri: `${consoleUrl}/user/login`,
    backChannelUri: `${publicUrl}${backChannelPath}/${key}`,
    tell: async (address, payload) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const url = address.slice(publicUrl.length)
      return (await world.app.http.inject({ method: 'POST', url, headers, payload })).statusCode
    },
    ...options,
  })
  const { id } = await world.asAdmin(createProvider, {
    key,
    name: `登录 ${key}`,
    issuer: provider.issuer,
    clientID,
    secret: clientSecret,
    scopes: 'openid profile email groups',
    defaultRole: 3,
    ...fields,
  })
  return { ...provider, id, key }
}

export type RoomProvider = Awaited<ReturnType<typeof openProvider>>

/** Begins, and does at the provider what a person does. */
export async function visit(world: World, { key }: Pick<RoomProvider, 'key'>, login: string) {
  const begun = await world.call(beginSignOn, { key })
  if (begun.code !== 200) throw new Error(begun.msg)
  const visitor = makeVisitor(login)
  const back = await visitor.follow(begun.data.url)
  return { ...begun.data, query: back.search, back, visitor }
}

export async function finish(
  world: World,
  key: string,
  { flow, query }: { flow: string; query: string },
  options: CallOptions = {},
) {
  return world.call(finishSignOn, { key, flow, query }, options)
}

export async function signOn(world: World, provider: Pick<RoomProvider, 'key'>, login: string, options?: CallOptions) {
  return finish(world, provider.key, await visit(world, provider, login), options)
}
