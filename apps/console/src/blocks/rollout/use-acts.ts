import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback } from 'react'
import { call } from '#api/call.ts'
import { readAgain } from '#api/use-change.ts'
import { type ConfirmOptions, useConfirm } from '#kit/confirm.tsx'
import { describeError } from '#kit/states/describe-error.ts'

interface Question<R> extends Omit<ConfirmOptions, 'onOk' | 'done'> {
  work: () => Promise<R>
  /** Said when it is done. */
  done?: string | ((result: R) => string)
}

/** What a person does to a rollout: asked for or at once, and what is said about it. */
export function useActs() {
  const { message } = App.useApp()
  const confirm = useConfirm()
  return {
    ask: <R>({ work, done, ...question }: Question<R>) =>
      confirm({
        ...question,
        onOk: async () => {
          const result = await work()
          const text = typeof done === 'function' ? done(result) : done
          if (text) void message.success(text)
        },
      }),
    /** @param done said when it succeeded */
    orTell: (what: string, work: Promise<unknown>, done?: string): Promise<void> =>
      work.then(
        () => {
          if (done) void message.success(done)
        },
        (error: unknown) =>
          void message.error(t('{what}失败：{reason}', { what, reason: describeError(error).reason })),
      ),
  }
}

/**
 * Calls an endpoint and reads again what it may have changed, also after a refusal: that often means that the rollout
 * went on meanwhile. Dialogs and forms show the refusal themselves, so there is no notification beside it.
 * @param stale a constant list of the endpoints whose answers are read again
 */
export function useSend(stale: readonly Endpoint[]) {
  const client = useQueryClient()
  return useCallback(
    async <E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>> => {
      try {
        return await call(endpoint, body, { quiet: true })
      } finally {
        await readAgain(client, stale)
      }
    },
    [client, stale],
  )
}
