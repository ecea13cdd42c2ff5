/** A place for tests: nothing is shown, everything that was said is kept. */
import { createServer } from 'node:net'
import type { Place } from '../place.ts'

interface Wishes extends Partial<Place> {
  input?: string
  /** What somebody at the terminal answers; none: nobody is there. */
  answers?: string[]
}

/** Where a moment ago somebody listened, and now nobody does. */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

export function makePlace({ input = '', answers, ...rest }: Wishes = {}) {
  const said = { out: '', err: '', questions: [] as string[] }
  const place: Place = {
    env: {},
    platform: 'linux',
    home: '/nowhere',
    language: 'zh',
    width: undefined,
    color: false,
    interactive: answers !== undefined,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    readInput: async () => input,
    ask: async (question) => {
      said.questions.push(question)
      return answers?.shift() ?? ''
    },
    signal: new AbortController().signal,
    ...rest,
  }
  return { place, said }
}
