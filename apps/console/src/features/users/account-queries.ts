/** What a person sees and changes of his own sign-in. */
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '@ithings/contract/features/second-factor.ts'
import { acknowledgeSignIns, endOtherSessions, endSession, listSessions } from '@ithings/contract/features/sessions.ts'
import { PasswordType } from '@ithings/contract/features/users.ts'
import { md5 } from '@ithings/contract/md5.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { sessionQuery } from '#api/session-query.ts'
import { session } from '#api/session-store.ts'
import { useChange } from '#api/use-change.ts'

export const sessionsQuery = endpointQuery(listSessions, {}, { quiet: true })

/** Dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export const useEndSession = () => useChange(endSession, [listSessions], true)
export const useEndOtherSessions = () => useChange(endOtherSessions, [listSessions], true)

export function useAcknowledgeSignIns() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(acknowledgeSignIns, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

export const secondFactorQuery = endpointQuery(readSecondFactor, {}, { quiet: true })

/** Who enrolled or switched off sees it everywhere; other sessions may have ended with it. */
export const refreshAccount = (client: QueryClient) =>
  Promise.all(
    [secondFactorQuery, sessionsQuery, sessionQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
  )

const hashed = (password: string) => ({ password: md5(password), pwdType: PasswordType.md5 })

export const useStartSecondFactor = () =>
  useMutation({ mutationFn: (password: string) => call(startSecondFactor, hashed(password), quiet) })

export const useConfirmSecondFactor = () =>
  useMutation({
    mutationFn: (secondCode: string) => call(confirmSecondFactor, { secondCode }, quiet),
    onSuccess: ({ token }) => session.renew(token.accessToken),
  })

export const useRenewRecoveryCodes = () => useChange(renewRecoveryCodes, [])

export function useDisableSecondFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ password, secondCode }: { password: string; secondCode: string }) =>
      call(disableSecondFactor, { ...hashed(password), secondCode }, quiet),
    onSuccess: () => refreshAccount(client),
  })
}
