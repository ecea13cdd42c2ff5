import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#api/session-query.ts'

/** IANA name of the server's zone, by which schedules run; undefined: not known yet. */
export const useServerZone = (): string | undefined => useQuery(configQuery).data?.timeZone
