/** What a person sees and changes of his own sign-in. */
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeyCheck,
} from '@ithings/contract/features/passkeys.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  verifySecondFactor,
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
import { withTexts } from '#language/language.ts'

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

export const passkeysQuery = endpointQuery(listPasskeys, {}, { quiet: true })
export const secondFactorQuery = endpointQuery(readSecondFactor, {}, { quiet: true })

/** Who enrolled, switched off, added or removed sees it everywhere; other sessions may have ended with it. */
export const refreshAccount = (client: QueryClient) =>
  Promise.all(
    [secondFactorQuery, passkeysQuery, sessionsQuery, sessionQuery].map(({ queryKey }) =>
      client.invalidateQueries({ queryKey }),
    ),
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

const fetchPasskeys = () => withTexts('users/passkey', import('./passkey.ts'))

/** Asks the browser in between. Empty password: the account has a second factor, which is asked for where it is stale. */
export const useAddPasskey = () =>
  useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const { createPasskey } = await fetchPasskeys()
      const { question } = await call(startPasskey, password === '' ? {} : hashed(password), quiet)
      return call(addPasskey, { name, passkey: await createPasskey(question) }, quiet)
    },
    onSuccess: ({ token }) => session.renew(token.accessToken),
  })

export const useRenamePasskey = () => useChange(renamePasskey, [listPasskeys])

export function useRemovePasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(removePasskey, { id }, quiet),
    onSettled: () => refreshAccount(client),
  })
}

/** A passkey instead of the code, before a dangerous act. */
export async function verifyByPasskey() {
  const { answerPasskey } = await fetchPasskeys()
  const { question } = await call(startPasskeyCheck, {}, quiet)
  const { token } = await call(verifySecondFactor, { passkey: await answerPasskey(question) }, quiet)
  session.renew(token.accessToken)
}
