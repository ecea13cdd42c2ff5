import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { configQuery, sessionQuery } from '#api/session-query.ts'
import { keepMapData, loadMapScript } from './map-script.ts'
import type { Session } from './session-context.ts'

/** spec 4: the state itself, a loading flag that starts true, and an error. */
export interface InitialState {
  data: Session | undefined
  loading: boolean
  error: unknown
}

/** Both start-up calls in parallel; only a failing resource-read is an error (decisions.md 2 "Session load"). */
export function useInitialState(): InitialState {
  const resources = useQuery(sessionQuery)
  const { data: config, isPending: configPending } = useQuery(configQuery)

  useEffect(() => {
    if (!config) return
    keepMapData(config)
    if (config.map.accessKey) loadMapScript(config.map.accessKey)
  }, [config])

  // A refresh that fails later keeps what is there: only the first load decides.
  if (!resources.data) {
    return { data: undefined, loading: resources.isPending, error: resources.error ?? undefined }
  }
  if (configPending) return { data: undefined, loading: true, error: undefined }
  return {
    data: { ...resources.data, config },
    loading: false,
    error: undefined,
  }
}
