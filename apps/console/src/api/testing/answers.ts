/** What the server answers to the console's calls in a test of screens; no network is there. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { vi } from 'vitest'
import { session } from '../session-store.ts'

export class Refusal {
  readonly code: number
  readonly msg: string
  constructor(msg: string, code = 100006) {
    this.code = code
    this.msg = msg
  }
}

const textOf = (data: unknown): string =>
  JSON.stringify(data instanceof Refusal ? { code: data.code, msg: data.msg } : { code: 200, msg: 'success', data })
const statusOf = (data: unknown): number => (data instanceof Refusal ? 400 : 200)

export interface Asked {
  path: string
  body: Record<string, unknown>
}

/** Somebody is signed in; each call gets what belongs to its endpoint. What was asked is in the list given back. */
export function answerCalls(
  ...answers: [endpoint: Endpoint, answer: (body: Record<string, unknown>) => unknown][]
): Asked[] {
  session.signIn('token', '1')
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    const sent = JSON.parse(body) as Record<string, unknown>
    asked.push({ path, body: sent })
    const found = answers.find(([endpoint]) => endpoint.path === path)
    const data = found ? await found[1](sent) : new Refusal(`${path} is not answered`)
    return new Response(textOf(data), { status: statusOf(data) })
  })
  return asked
}

export interface SentFile {
  url: string
  form: FormData
  /** 0 to 1 of its bytes have left. */
  progress: (share: number) => void
  answer: (data: unknown) => void
}

/** Files on their way to the server wait for their answer here. */
export function holdUploads(): SentFile[] {
  const sent: SentFile[] = []
  class HeldRequest {
    url = ''
    status = 0
    responseText = ''
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    onload?: () => void
    open(_method: string, url: string) {
      this.url = url
    }
    setRequestHeader() {}
    getResponseHeader() {
      return null
    }
    send(form: FormData) {
      sent.push({
        url: this.url,
        form,
        progress: (share) => this.upload.onprogress?.({ loaded: share * 100, total: 100 }),
        answer: (data) => {
          this.status = statusOf(data)
          this.responseText = textOf(data)
          this.onload?.()
        },
      })
    }
  }
  vi.stubGlobal('XMLHttpRequest', HeldRequest)
  return sent
}
