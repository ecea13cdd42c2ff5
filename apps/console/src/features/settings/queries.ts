import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readConfig, readSettings, updateSettings } from '@ithings/contract/features/settings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

export const settingsQuery = endpointQuery(readSettings, {})

/** Title and logo of the header, the window and the login page come from common/config: they follow at once. */
export function useSettingsChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: [readSettings.path] }),
      client.invalidateQueries({ queryKey: [readConfig.path] }),
    ])
  }
}

// The form shows the refusal beside the field.
export const putSettings = (body: BodyInput<typeof updateSettings>) => call(updateSettings, body, { quiet: true })
