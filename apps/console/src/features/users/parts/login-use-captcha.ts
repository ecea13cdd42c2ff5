import { getCaptcha } from '@ithings/contract/features/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#api/call.ts'

export interface Captcha {
  codeID: string
  /** The picture as data URI; empty while there is none. */
  url: string
  /** Seconds of validity. */
  expire: number
  failed: boolean
  /** Asked for by hand; at most one a second. */
  renew: () => void
  /** The code is spent: another picture, however young this one is. */
  replace: () => void
}

/** At most one new picture a second (screens.md 1.1). */
const throttle = 1000

/** The picture renews itself when it expires, even if the tab was asleep; typed characters of the old one go. */
export function useCaptcha(enabled: boolean, onNewPicture: () => void): Captcha {
  const lastAsked = useRef(0)
  const query = useQuery({
    queryKey: [getCaptcha.path],
    queryFn: ({ signal }) => {
      lastAsked.current = Date.now()
      return call(getCaptcha, { type: 'image', use: 'login', data: '' }, { quiet: true, signal })
    },
    enabled,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data ? state.data.expire * 1000 : false),
    refetchOnWindowFocus: ({ state }) =>
      state.data && Date.now() - state.dataUpdatedAt >= state.data.expire * 1000 ? 'always' : false,
  })

  const codeID = query.data?.codeID ?? ''
  const told = useRef(onNewPicture)
  told.current = onNewPicture
  useEffect(() => {
    if (codeID) told.current()
  }, [codeID])

  const replace = () => {
    if (enabled) void query.refetch()
  }
  const renew = () => {
    if (Date.now() - lastAsked.current >= throttle) replace()
  }
  return {
    codeID,
    url: query.data?.url ?? '',
    expire: query.data?.expire ?? 0,
    failed: query.isError,
    renew,
    replace,
  }
}
