/** The official client on a real connection to a world. */
import { createOwnKey, type ownKeyBody } from '@ithings/contract/features/api-keys.ts'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type * as z from 'zod'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'
import { assistantPath } from '../install-assistant.ts'

export const modern = { pin: '2026-07-28' }
export type Era = 'legacy' | typeof modern

export async function listen({ app }: World): Promise<string> {
  return `${await app.http.listen({ host: '127.0.0.1', port: 0 })}${assistantPath}`
}

export async function makeKey(world: World, fields: Partial<z.input<typeof ownKeyBody>> = {}, token = world.admin) {
  const { data } = await world.call(createOwnKey, { name: uniqueText('助手'), ...fields }, { token })
  return data
}

export async function connect(url: string, key: string, mode: Era = modern): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

export interface Shown {
  notice: string
  begin: string
  end: string
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers differs by tool
  data: any
  notes: string[]
}
export const shownOf = (result: CallToolResult): Shown => result.structuredContent as unknown as Shown

export const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '')

export const ask = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args })
