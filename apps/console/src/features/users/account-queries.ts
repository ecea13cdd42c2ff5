/** What a person sees and changes of his own sign-in. */
import { acknowledgeSignIns, endOtherSessions, endSession, listSessions } from '@ithings/contract/features/sessions.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { sessionQuery } from '#api/session-query.ts'

export const sessionsQuery = queryOptions({
  queryKey: [listSessions.path],
  queryFn: ({ signal }) => call(listSessions, {}, { quiet: true, signal }),
})

/** Dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(endSession, { id }, quiet),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endOtherSessions, {}, quiet),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export function useAcknowledgeSignIns() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(acknowledgeSignIns, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}
