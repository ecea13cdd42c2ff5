/** Where devices reach the platform on the host that this page comes from. */
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#api/session-query.ts'

/** As long as the platform has not said: the usual port (decisions.md 3). */
const usual = { port: 1883, tlsPort: 0 }

export const useMqttPorts = (): { port: number; tlsPort: number } => useQuery(configQuery).data?.mqtt ?? usual
