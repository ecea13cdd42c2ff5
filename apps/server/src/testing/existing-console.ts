/** Sends what the public iThings console sends, byte for byte: existing-console/calls.txt. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { World } from './world.ts'

interface Call {
  url: string
  body: string
}

const text = readFileSync(join(import.meta.dirname, 'existing-console/calls.txt'), 'utf8')
const [, ...paragraphs] = text.trim().split(/\n\n(?=# )/)

export const calls = new Map<string, Call>(
  paragraphs.map((paragraph) => {
    const [head = '', url = '', ...body] = paragraph.split('\n')
    return [head.slice(2).replace(/(:| \(\*\)).*$/, ''), { url, body: body.join('\n') }]
  }),
)

// biome-ignore lint/suspicious/noExplicitAny: the console reads what it gets without any check.
export type Read = any

export interface ExistingConsole {
  token: string
  /** @returns `data` of the answer; fails the test unless it is a success */
  send(name: string, given?: Record<string, string | number | boolean>): Promise<Read>
}

export function openExistingConsole(world: World, token = world.admin): ExistingConsole {
  const self: ExistingConsole = {
    token,
    async send(name, given = {}) {
      const call = calls.get(name)
      if (!call) throw new Error(`calls.txt has no "${name}"`)
      const filled = call.body.replace(/\{\{(\w+)\}\}/g, (_, key: string) => String(given[key]))
      const form = /^--(----\w+)\n/.exec(filled)?.[1]
      const { body, statusCode } = await world.app.http.inject({
        method: 'POST',
        url: call.url,
        headers: {
          ...(form
            ? { 'Content-Type': `multipart/form-data; boundary=${form}` }
            : { Accept: 'application/json', 'Content-Type': 'application/json', 'iThings-guid': String(Date.now()) }),
          ...(self.token && { 'iThings-token': self.token }),
        },
        payload: form ? `${filled.replaceAll('\n', '\r\n')}\r\n` : filled,
      })
      expect({ name, statusCode, body }).toMatchObject({ statusCode: 200, body: expect.stringContaining('"code":200') })
      return JSON.parse(body).data
    },
  }
  return self
}
